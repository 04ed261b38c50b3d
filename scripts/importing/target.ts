// The server that is written to.

import { setTimeout as sleep } from 'node:timers/promises';
import { writeJson, type JsonObject, type JsonValue } from '../../engine/json/index';
import { EXIT, ExitError } from '../common/program';
import { HttpError, UnreachableError, type Connection } from './connection';
import { blockSettings, creationSettings, type IndexDefinition } from './definition';
import {
  bulkLines,
  deleteLine,
  isExpired,
  type DocumentState,
  type ImportedDocument,
  type VersionType,
} from './document';
import { describeIndex } from './old-server';
import { isSameJson, objectAt, textOf, valueAt } from './json-values';
import { addRefusal, type Refusal, type Tally } from './state';

/** Characters of a bulk request. */
const BULK_LENGTH = 4 * 1024 * 1024;
const REMOVED_AT_ONCE = 1000;
/** Milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

type WritableDocument = ImportedDocument & { readonly source: string };

/** A document's line of an answer to a bulk request. */
interface BulkItem {
  /** Missing before 1.0. */
  readonly status?: number;
  readonly error?: string;
  /** Of a deletion: whether there was such a document. */
  readonly found?: boolean;
}

/** Where outcomes of documents are counted. */
export interface Outcome extends Tally {
  readonly refusals: Refusal[];
}

/** A server to write to. */
export class Target {
  private constructor(
    readonly connection: Connection,
    readonly version: string,
    /** Whether `external_gte` is known there (from 1.2 on). */
    private readonly hasGte: boolean,
    private readonly retries: number,
    /** For people and the state file: where it is. */
    readonly name: string,
  ) {}

  /**
   * @param name for people and the state file, if it is not the URL
   * @throws Error when it is no server of this kind; UnreachableError, HttpError
   */
  static async open(
    connection: Connection,
    retries: number,
    name = connection.url,
  ): Promise<Target> {
    const version = textOf(valueAt(await connection.greet(), 'version', 'number')) ?? '';
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
    if (major === undefined || Number(major) > 1) {
      throw new ExitError(
        EXIT.usage,
        `${connection.url} is no facetd, nor a server of 0.90 to 1.7`,
      );
    }
    const hasGte = major === '1' && Number(minor) >= 2;
    return new Target(connection, version, hasGte, retries, name);
  }

  /** Whether there is an index or alias of a name. */
  async has(name: string): Promise<boolean> {
    try {
      await this.connection.text('HEAD', `/${encodeURIComponent(name)}`);
      return true;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return false;
      throw error;
    }
  }

  /** Makes an index like another one. @throws HttpError when it is refused */
  async create(definition: IndexDefinition): Promise<void> {
    const body = { settings: creationSettings(definition), mappings: definition.mappings };
    const path = `/${encodeURIComponent(definition.name)}`;
    try {
      await this.connection.json('PUT', path, writeJson(body));
    } catch (error) {
      // A request that was sent twice, as its first answer was lost.
      if (error instanceof HttpError && /^IndexAlreadyExists/.test(error.reason)) return;
      throw error;
    }
  }

  /** A definition with those aliases and warmers only that are not there yet: blocks may forbid changes. */
  async lacking(definition: IndexDefinition): Promise<IndexDefinition> {
    const { aliases, warmers } = await describeIndex(this.connection, definition.name);
    const missing = (wanted: JsonObject, found: JsonObject): JsonObject =>
      new Map(
        [...wanted].filter(([name, body]) => {
          const other = found.get(name);
          return other === undefined || !isSameJson(body, other);
        }),
      );
    return {
      ...definition,
      aliases: missing(definition.aliases, aliases),
      warmers: missing(definition.warmers, warmers),
    };
  }

  /** Adds the warmers of an index. Returns what was refused. */
  async addWarmers({ name: index, warmers }: IndexDefinition): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const [name, warmer] of warmers) {
      const types = valueAt(warmer, 'types');
      const list = (Array.isArray(types) ? types : []).map((type) => textOf(type) ?? '');
      const path = [index, ...(list.length === 0 ? [] : [list.join(',')]), '_warmer', name];
      const body = writeJson(objectAt(warmer, 'source'));
      await this.attempt(`warmer [${name}]`, problems, () =>
        this.connection.json('PUT', `/${path.map(encodeURIComponent).join('/')}`, body),
      );
    }
    return problems;
  }

  /** Sets what keeps an index from being written to. Returns what was refused. */
  async addBlocks(definition: IndexDefinition): Promise<readonly string[]> {
    const problems: string[] = [];
    const settings = blockSettings(definition);
    if (settings.size > 0) {
      const path = `/${encodeURIComponent(definition.name)}/_settings`;
      await this.attempt('settings', problems, () =>
        this.connection.json('PUT', path, writeJson(settings)),
      );
    }
    return problems;
  }

  /** Adds all aliases of indices in one step; those that are refused one by one. Returns these. */
  async addAliases(definitions: readonly IndexDefinition[]): Promise<readonly string[]> {
    const actions = definitions.flatMap(({ name: index, aliases }) =>
      [...aliases].map(([alias, body]) => {
        const add: JsonObject = new Map<string, JsonValue>([
          ['index', index],
          ['alias', alias],
          ...objectAt(body),
        ]);
        return { alias, index, action: { add } };
      }),
    );
    const problems: string[] = [];
    if (actions.length === 0) return problems;
    const send = (wanted: typeof actions): Promise<unknown> => {
      const body = { actions: wanted.map(({ action }) => action) };
      return this.connection.json('POST', '/_aliases', writeJson(body));
    };
    try {
      await send(actions);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      for (const one of actions) {
        const name = `alias [${one.alias}] of [${one.index}]`;
        await this.attempt(name, problems, () => send([one]));
      }
    }
    return problems;
  }

  /** Adds templates. One that is there with another content stays, and is told. Returns what differs. */
  async addTemplates(templates: JsonObject): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const [name, template] of templates) {
      const path = `/_template/${encodeURIComponent(name)}`;
      const known = (await this.connection.find(path))?.get(name);
      if (known === undefined) {
        await this.attempt(`template [${name}]`, problems, () =>
          this.connection.json('PUT', path, writeJson(template)),
        );
      } else if (!isSameJson(known, template)) {
        problems.push(`template [${name}]: there is another one of that name, which stays`);
      }
    }
    return problems;
  }

  /** Makes everything written visible to searches. */
  async refresh(indices: readonly string[]): Promise<void> {
    for (const index of indices) {
      try {
        await this.connection.text('POST', `/${encodeURIComponent(index)}/_refresh`);
      } catch (error) {
        // Nothing has been written where a block forbids even this.
        if (!(error instanceof HttpError) || error.status !== 403) throw error;
      }
    }
  }

  /**
   * Writes documents and counts what becomes of them.
   *
   * @param isAgain whether some may be there already: a document of the same version is left alone then
   * @throws UnreachableError when the target stays busy; HttpError when it does not let us write at all
   */
  async write(
    documents: readonly ImportedDocument[],
    outcome: Outcome,
    isAgain: boolean,
  ): Promise<void> {
    const versionType: VersionType = isAgain || !this.hasGte ? 'external' : 'external_gte';
    const now = Date.now();
    let batch: WritableDocument[] = [];
    let lines = '';
    outcome.read += documents.length;
    for (const document of documents) {
      if (isExpired(document, now)) {
        outcome.expired++;
      } else if (document.source === null) {
        outcome.refused++;
        addRefusal(
          outcome.refusals,
          'the source keeps no _source, or gives none',
          nameOf(document),
        );
      } else {
        const writable = { ...document, source: document.source };
        const text = bulkLines(writable, versionType, now);
        if (lines !== '' && lines.length + text.length > BULK_LENGTH) {
          await this.send(batch, lines, versionType, outcome);
          batch = [];
          lines = '';
        }
        batch.push(writable);
        lines += text;
      }
    }
    if (batch.length > 0) await this.send(batch, lines, versionType, outcome);
  }

  /** Deletes documents unless they were written since they were seen. Returns how many there were. */
  async remove(documents: readonly DocumentState[]): Promise<number> {
    let removed = 0;
    for (let at = 0; at < documents.length; at += REMOVED_AT_ONCE) {
      const lines = documents.slice(at, at + REMOVED_AT_ONCE).map(deleteLine);
      const items = await this.sendBulk(lines.join(''));
      removed += items.filter(({ error, found }) => error === undefined && found !== false).length;
    }
    return removed;
  }

  private async send(
    batch: readonly WritableDocument[],
    lines: string,
    versionType: VersionType,
    outcome: Outcome,
  ): Promise<void> {
    let waiting = batch;
    let text = lines;
    for (let attempt = 0; ; attempt++) {
      const busy: WritableDocument[] = [];
      let reason = '';
      const items = await this.bulk(waiting, text, versionType, outcome);
      if (items === null) return;
      for (const [at, item] of items.entries()) {
        const document = waiting[at]!;
        if (count(item, document, outcome)) continue;
        busy.push(document);
        reason = item.error ?? '';
      }
      if (busy.length === 0) return;
      if (attempt >= this.retries) {
        throw new UnreachableError(`${this.connection.url} stays busy: ${reason}`);
      }
      await sleep(Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT));
      waiting = busy;
      text = busy.map((document) => bulkLines(document, versionType, Date.now())).join('');
    }
  }

  /** The items of a bulk request; null when it was refused as a whole and its documents sent one by one. */
  private async bulk(
    batch: readonly WritableDocument[],
    text: string,
    versionType: VersionType,
    outcome: Outcome,
  ): Promise<readonly BulkItem[] | null> {
    try {
      return await this.sendBulk(text);
    } catch (error) {
      const isOfContent =
        error instanceof HttpError && ![401, 403, 429, 503].includes(error.status);
      if (!isOfContent) throw error;
      if (batch.length === 1) {
        outcome.refused++;
        addRefusal(outcome.refusals, shortened(error.reason), nameOf(batch[0]!));
        return null;
      }
      for (const document of batch) {
        const lines = bulkLines(document, versionType, Date.now());
        await this.send([document], lines, versionType, outcome);
      }
      return null;
    }
  }

  private async sendBulk(lines: string): Promise<readonly BulkItem[]> {
    const answer = JSON.parse(await this.connection.text('POST', '/_bulk', lines)) as {
      items: readonly Readonly<Record<string, BulkItem>>[];
    };
    return answer.items.map((item) => Object.values(item)[0] ?? {});
  }

  private async attempt(
    name: string,
    problems: string[],
    run: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      problems.push(`${name}: ${error.reason}`);
    }
  }
}

/** Counts the outcome of a document; false: it has to be sent again. */
function count({ status, error }: BulkItem, document: DocumentState, outcome: Outcome): boolean {
  if (error === undefined) {
    outcome.written++;
    return true;
  }
  if (status === 429 || status === 503 || error.startsWith('EsRejectedExecution')) return false;
  if (status === 409 || error.startsWith('VersionConflict')) {
    const current = /current \[(\d+)\]/.exec(error)?.[1];
    if (current === document.version) outcome.present++;
    else outcome.newer++;
  } else if (error.includes('AlreadyExpiredException')) {
    outcome.expired++;
  } else {
    outcome.refused++;
    addRefusal(outcome.refusals, reasonOf(error, document), nameOf(document));
  }
  return true;
}

/** The reason without the name of the document, so that equal ones are told once. */
function reasonOf(error: string, { id, type }: DocumentState): string {
  const text = shortened(error);
  return id === null ? text : text.replaceAll(`[${type}][${id}]`, `[${type}][…]`);
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** A document for people: type and id. */
export function nameOf({ type, id }: DocumentState): string {
  return `${type}/${id ?? ''}`;
}
