// Stored scripts: documents of an index of their own (reference server), which each change refreshes. Who
// writes to that index by the document APIs, or deletes it, changes the scripts.

import type { Gate } from './gate';
import type { DocumentService } from '../documents/index';
import { EngineError, illegalArgument } from '../errors';
import { SCRIPTS_INDEX } from '../metadata/index';
import { checkSource, languageOf, sourceToStore, storedSource } from '../script/index';
import type {
  ScriptIdentity,
  ScriptVersion,
  ShownScript,
  StoredScriptResult,
  StoredScripts,
} from '../api/index';

/** What {@link StoredScriptsService} needs of the node. */
interface StoredScriptsHost {
  readonly gate: Gate;
  readonly documents: Pick<DocumentService, 'index' | 'delete' | 'get'>;
}

/** What scripts as documents have none of. */
const NO_OPTIONS = { routing: undefined, parent: undefined, timestamp: undefined, ttl: undefined };

/** Puts, shows and deletes stored scripts. All methods reject with an EngineError for an unknown language. */
export class StoredScriptsService implements StoredScripts {
  constructor(private readonly host: StoredScriptsHost) {}

  /**
   * Stores a script that compiles.
   *
   * @throws EngineError 400 for a document without a script that can be read, 409 for a conflict of versions
   */
  async put(
    identity: ScriptIdentity,
    document: Buffer,
    version: ScriptVersion,
    create: boolean,
  ): Promise<StoredScriptResult> {
    check(identity, document);
    const { gate, documents } = this.host;
    const request = { ...write(identity, version), create, source: document };
    const stored = await gate.grow(() => documents.index(request));
    return { found: !stored.created, version: stored.version };
  }

  /** @throws EngineError 409 for a conflict of versions */
  async delete(identity: ScriptIdentity, version: ScriptVersion): Promise<StoredScriptResult> {
    languageOf(identity.lang);
    const { gate, documents } = this.host;
    return gate.grow(() => documents.delete(write(identity, version)));
  }

  /** @throws EngineError 404 when no script was ever stored, 409 when it has another version */
  async get({ lang, id }: ScriptIdentity, version: ScriptVersion): Promise<ShownScript | null> {
    languageOf(lang);
    const { gate, documents } = this.host;
    const stored = await gate.read(() =>
      documents.get({
        ...NO_OPTIONS,
        ...version,
        index: SCRIPTS_INDEX,
        type: lang,
        id,
        realtime: true,
        refresh: false,
        source: true,
        fields: undefined,
      }),
    );
    if (stored.source === undefined) return null;
    return { script: storedSource(stored.source), version: stored.version };
  }
}

function write({ lang, id }: ScriptIdentity, version: ScriptVersion) {
  return { ...NO_OPTIONS, ...version, index: SCRIPTS_INDEX, type: lang, id, refresh: true };
}

function check({ lang }: ScriptIdentity, document: Buffer): void {
  const language = languageOf(lang);
  const script = sourceToStore(document, language);
  try {
    checkSource(language, script);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw illegalArgument(`Unable to parse [${script}] lang [${lang}]`, error);
  }
}
