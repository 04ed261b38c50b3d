// Error bodies: every body that says `error` is built here.

import { EngineError, type JsonOutput } from '../../engine/index';

/** The body of an answer with an error; without a status it stands in the place of one item of many. */
export function errorBody(text: string, status?: number): JsonOutput {
  return { error: text, status };
}

/** The body of an answer to a known error. */
export function engineErrorBody(error: EngineError): JsonOutput {
  return errorBody(error.toWireString(), error.status);
}

/** The text of an error that stands inside a response instead of replacing it. */
export function itemError(error: Error): string {
  return error instanceof EngineError ? error.toWireString() : `${error.name}[${error.message}]`;
}

/** The status of such an error. */
export function itemStatus(error: Error): number {
  return error instanceof EngineError ? error.status : 500;
}
