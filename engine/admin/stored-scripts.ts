// Stored scripts: part of the cluster state, so that each change is one atomic step that survives a
// restart. The reference server keeps them as documents of an index `.scripts`; versions and answers are
// those of such documents.

import { illegalArgument, EngineError } from '../errors';
import type { Gate } from './gate';
import { type ClusterStateService, replaceScripts, type StoredScript } from '../metadata/index';
import {
  alreadyExists,
  checkReadVersion,
  nextVersion,
  type VersionSubject,
} from '../documents/index';
import { storedKey, checkSource, languageOf } from '../script/index';
import type {
  ScriptIdentity,
  ScriptVersion,
  ShownScript,
  StoredScriptResult,
  StoredScripts,
} from '../api/index';

/** How long the version of a deleted script is remembered, in milliseconds. */
const TOMBSTONE_MS = 60_000;

/** What {@link StoredScriptsService} needs of the node. */
interface StoredScriptsHost {
  readonly gate: Gate;
  readonly cluster: ClusterStateService;
  readonly now: () => number;
}

/** Puts, shows and deletes stored scripts. All methods throw an EngineError for an unknown language. */
export class StoredScriptsService implements StoredScripts {
  constructor(private readonly host: StoredScriptsHost) {}

  /**
   * Stores a script that compiles.
   *
   * @param create refuse to replace one
   * @throws EngineError 400 for a source that cannot be read, 409 for a conflict of versions
   */
  async put(
    identity: ScriptIdentity,
    script: string,
    version: ScriptVersion,
    create: boolean,
  ): Promise<StoredScriptResult> {
    check(identity, script);
    return this.change(identity, (current) => {
      const exists = isLive(current);
      if (create && exists) throw alreadyExists(subjectOf(identity));
      const next = versionAfter(current, version, identity);
      return [
        { script, version: next, deletedAt: null },
        { found: exists, version: next },
      ];
    });
  }

  /** Deletes a script. A missing one gets a version, too (reference server). @throws EngineError 409 */
  delete(identity: ScriptIdentity, version: ScriptVersion): Promise<StoredScriptResult> {
    return this.change(identity, (current) => {
      const next = versionAfter(current, version, identity);
      return [
        { script: null, version: next, deletedAt: this.host.now() },
        { found: isLive(current), version: next },
      ];
    });
  }

  /** A script, or null. @throws EngineError 409 when it has another version than the one asked for */
  get(identity: ScriptIdentity, { version, versionType }: ScriptVersion): ShownScript | null {
    const entry = this.host.cluster.state().scripts.get(keyOf(identity));
    if (entry === undefined || entry.script === null) return null;
    checkReadVersion(entry.version, version, versionType, subjectOf(identity));
    return { script: entry.script, version: entry.version };
  }

  private async change(
    identity: ScriptIdentity,
    compute: (current: StoredScript | undefined) => [StoredScript, StoredScriptResult],
  ): Promise<StoredScriptResult> {
    const { gate, cluster, now } = this.host;
    const key = keyOf(identity);
    let result: StoredScriptResult | null = null;
    await gate.write(() =>
      cluster.change((state) => {
        const forgotten = now() - TOMBSTONE_MS;
        const scripts = new Map(
          [...state.scripts].filter(
            ([, { deletedAt }]) => deletedAt === null || deletedAt > forgotten,
          ),
        );
        const [entry, outcome] = compute(scripts.get(key));
        result = outcome;
        return replaceScripts(state, scripts.set(key, entry));
      }),
    );
    return result!;
  }
}

function keyOf({ lang, id }: ScriptIdentity): string {
  return storedKey(languageOf(lang), id);
}

function subjectOf({ lang, id }: ScriptIdentity): VersionSubject {
  return { index: '.scripts', shard: 0, type: lang, id };
}

function isLive(entry: StoredScript | undefined): boolean {
  return entry !== undefined && entry.script !== null;
}

function versionAfter(
  current: StoredScript | undefined,
  { version, versionType }: ScriptVersion,
  identity: ScriptIdentity,
): number {
  return nextVersion(current, version, versionType, subjectOf(identity));
}

function check({ lang }: ScriptIdentity, script: string): void {
  const language = languageOf(lang);
  try {
    checkSource(language, script);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw illegalArgument(`Unable to parse [${script}] lang [${lang}]`, error);
  }
}
