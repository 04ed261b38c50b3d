// The log as the engine writes it.

/** Structured logging as the engine uses it: fields first, then a sentence. */
export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** A logger that says nothing. */
export const SILENT_LOGGER: EngineLogger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};
