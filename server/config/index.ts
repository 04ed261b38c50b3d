// Settings of a node, their documentation, and the logger made from them.

export { configurationPage, helpText } from './config-docs';
export { markdownTable } from './markdown-table';
export {
  type Command,
  type ConfigSources,
  isLoopback,
  loadConfig,
  type ServerSettings,
  type TlsSettings,
  type StartCommand,
} from './config';
export { type AdjustableLogger, createLogger, createSlowLogger, type Logger } from './logger';
export { ConfigError } from './values';
export type { Backend } from './settings-table';
export {
  COMPATIBLE_VERSION,
  COMPATIBLE_VERSION_ID,
  facetdVersion,
  LUCENE_VERSION,
} from './version';
