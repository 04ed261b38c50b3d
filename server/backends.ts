// The engines that a server can have behind it, by the value of the setting engine.backend.

import { type EngineOptions, openEngine, type SearchEngine } from '../engine/index';
import type { Backend } from './config/index';

const OPENERS: Readonly<Record<Backend, (options: EngineOptions) => Promise<SearchEngine>>> = {
  embedded: openEngine,
};

/** Opens the engine of a name. @throws what the engine throws when it cannot be opened */
export function openBackend(backend: Backend, options: EngineOptions): Promise<SearchEngine> {
  return OPENERS[backend](options);
}
