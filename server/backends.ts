// The engines that a server can have behind it, by the value of the setting engine.backend.

import {
  type EngineOptions,
  openEngine,
  openOpenSearchEngine,
  type OpenSearchEngineOptions,
  type SearchEngine,
} from '../engine/index';
import type { Backend } from './config/index';

/** What either engine is opened with. */
type BackendOptions = EngineOptions & Pick<OpenSearchEngineOptions, 'openSearch'>;

const OPENERS: Readonly<Record<Backend, (options: BackendOptions) => Promise<SearchEngine>>> = {
  embedded: openEngine,
  opensearch: openOpenSearchEngine,
};

/** Opens the engine of a name. @throws what the engine throws when it cannot be opened */
export function openBackend(backend: Backend, options: BackendOptions): Promise<SearchEngine> {
  return OPENERS[backend](options);
}
