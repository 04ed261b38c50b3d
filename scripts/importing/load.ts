// From files to a server.

import type { JsonObject } from '../../engine/json/index';
import { Progress } from '../common/progress';
import { createIndex, refuseTaken } from './claims';
import { compare, type Side } from './compare';
import type { IndexDefinition } from './definition';
import type { ImportedDocument } from './document';
import type { FileRecord, OpenedFile } from './records';
import type { ImportReport, IndexReport } from './report';
import {
  addRefusal,
  addTally,
  newSlice,
  newTally,
  type ImportState,
  type Refusal,
  type SliceState,
} from './state';
import type { Target } from './target';
import { describeDifferences, sideOf, targetSide, type VerifyLevel } from './verify';

/** What is written at a time. */
const BATCH_DOCUMENTS = 1000;
const BATCH_LENGTH = 2 * 1024 * 1024;
/** Bytes of a step of the progress. */
const STEP = 1024;

/** A file that is being read, and what is in it. */
export interface OpenedRecords {
  readonly file: OpenedFile;
  readonly records: AsyncIterable<FileRecord>;
}

/** A file to load. */
export interface LoadItem {
  readonly path: string;
  /** What the index is to be like; null where the file names the indices, which get what it implies. */
  readonly definition: IndexDefinition | null;
  /** Begins to read it. */
  readonly open: () => OpenedRecords;
}

/** How to load. */
export interface LoadOptions {
  readonly level: VerifyLevel;
  readonly isMerge: boolean;
  readonly isQuiet: boolean;
}

/** Loads files, or what an earlier run has left of them. */
export class FileLoad {
  private readonly problems: string[] = [];
  /** Indices that were written to. */
  private readonly indices = new Set<string>();

  constructor(
    private readonly from: string,
    private readonly items: readonly LoadItem[],
    private readonly templates: JsonObject,
    private readonly target: Target,
    private readonly state: ImportState,
    private readonly options: LoadOptions,
  ) {}

  /**
   * Loads, and verifies.
   *
   * @throws ExitError when the target has indices of the same names; UnreachableError for a server that is
   *         away or busy for too long: another run goes on from there
   */
  async run(): Promise<ImportReport> {
    const definitions = this.items.flatMap(({ definition }) => definition ?? []);
    await this.claim(definitions.map(({ name }) => name));
    const refused = new Map<LoadItem, string>();
    for (const item of this.items) {
      if (item.definition === null) continue;
      const problem = await createIndex(item.definition, this.target, this.state);
      if (problem === null) this.indices.add(item.definition.name);
      else refused.set(item, problem);
    }
    for (const [item, problem] of refused) this.problems.push(`${item.path}: ${problem}`);
    const loaded = this.items.filter((item) => !refused.has(item));
    for (const item of loaded) await this.load(item);
    const made = loaded.flatMap(({ definition }) => definition ?? []);
    await this.target.refresh([...this.indices]);
    for (const definition of made) {
      this.problems.push(...(await this.target.addWarmers(definition)));
    }
    this.problems.push(
      ...(await this.target.addAliases(made)),
      ...(await this.target.addTemplates(this.templates)),
    );
    const report = await this.verify(loaded);
    for (const definition of made) {
      this.problems.push(...(await this.target.addBlocks(definition)));
    }
    return { ...report, ok: report.ok && this.problems.length === 0 };
  }

  private claim(names: readonly string[]): Promise<void> {
    return refuseTaken(names, this.target, this.state, this.options.isMerge);
  }

  private async load(item: LoadItem): Promise<void> {
    const outcome = this.sliceOf(item);
    const done = outcome.read;
    const { file, records } = item.open();
    const progress = this.options.isQuiet
      ? null
      : new Progress(`loading ${item.path} KB`, Math.ceil(file.progress().total / STEP));
    let batch: ImportedDocument[] = [];
    let length = 0;
    let number = 0;
    /** Records since the last batch that are no documents. */
    let problems = 0;
    const flush = async (): Promise<void> => {
      for (const index of new Set(batch.map((document) => document.index))) {
        if (!outcome.isDone) await this.prepare(index);
      }
      if (!outcome.isDone) {
        await this.target.write(batch, outcome, false);
        outcome.read += problems;
        this.state.save();
      }
      batch = [];
      length = problems = 0;
      progress?.update(Math.floor(file.progress().done / STEP) - 1);
    };
    for await (const record of records) {
      number++;
      if (record.kind === 'document') {
        this.indices.add(record.document.index);
        if (number <= done) continue;
        const document = numbered(record.document, number);
        batch.push(document);
        length += document.source?.length ?? 0;
      } else if (number > done) {
        problems++;
        outcome.refused++;
        addRefusal(outcome.refusals, record.reason, `record ${number}`);
      }
      if (batch.length >= BATCH_DOCUMENTS || length >= BATCH_LENGTH) await flush();
    }
    await flush();
    outcome.isDone = true;
    this.state.save();
    progress?.update(Math.ceil(file.progress().total / STEP));
  }

  /** Makes an index that a document names, if it is not there. */
  private async prepare(index: string): Promise<void> {
    if (this.state.index(index).isCreated) return;
    await this.claim([index]);
    const nothing: JsonObject = new Map();
    const definition = {
      name: index,
      settings: nothing,
      mappings: nothing,
      aliases: nothing,
      warmers: nothing,
    };
    const problem = await createIndex(definition, this.target, this.state);
    if (problem !== null) this.problems.push(`index [${index}]: ${problem}`);
  }

  private sliceOf({ path, definition }: LoadItem): SliceState {
    const { slices } = this.state.index(definition?.name ?? path);
    return (slices[path] ??= newSlice());
  }

  private async verify(items: readonly LoadItem[]): Promise<ImportReport> {
    const indices: Record<string, IndexReport> = {};
    const all = newTally();
    for (const item of items) {
      const slice = this.sliceOf(item);
      addTally(all, slice);
      if (item.definition !== null) continue;
      for (const { reason, count, examples } of slice.refusals) {
        this.problems.push(`${item.path}: refused ${count}, such as ${examples[0]}: ${reason}`);
      }
    }
    for (const name of [...this.indices].sort()) {
      const own = items.filter(({ definition }) => definition === null || definition.name === name);
      indices[name] = await this.verifyIndex(name, own);
    }
    return {
      ok: Object.values(indices).every(({ ok }) => ok),
      from: this.from,
      to: this.target.name,
      level: this.options.level,
      documents: all,
      indices,
      problems: this.problems,
      notes: [],
    };
  }

  private async verifyIndex(name: string, items: readonly LoadItem[]): Promise<IndexReport> {
    const documents = newTally();
    const refusals: Refusal[] = [];
    for (const item of items.filter(({ definition }) => definition !== null)) {
      const slice = this.sliceOf(item);
      addTally(documents, slice);
      refusals.push(...slice.refusals);
    }
    const report = { documents, refusals, differences: [], notes: [] };
    const isClean = refusals.length === 0;
    if (this.options.level === 'none') return { ...report, ok: isClean, verified: null };
    const comparison = await compare(
      fileSide(items, name, await everyHasVersion(items, name)),
      await targetSide(this.target.connection, name),
    );
    const { losses, extra } = describeDifferences(comparison, []);
    const isMore = this.options.isMerge && !this.state.index(name).isOwn;
    const differences = isMore ? losses : [...losses, ...extra];
    return {
      ...report,
      ok: isClean && differences.length === 0,
      verified: {
        source: sideOf(comparison.source),
        target: sideOf(comparison.target),
        fields: 0,
        mended: 0,
        differences,
        notes: [],
      },
      differences,
      notes: isMore ? extra : [],
    };
  }
}

/** A document without an id gets the number of its place: loading it again makes no second one. */
function numbered(document: ImportedDocument, number: number): ImportedDocument {
  return document.id === null ? { ...document, id: String(number) } : document;
}

/** What files say of an index. */
export function fileSide(items: readonly LoadItem[], index: string, versions: boolean): Side {
  const parts = items.map(
    (item) =>
      async function* (): AsyncGenerator<readonly ImportedDocument[]> {
        let number = 0;
        for await (const record of item.open().records) {
          number++;
          if (record.kind === 'document' && record.document.index === index) {
            yield [numbered(record.document, number)];
          }
        }
      },
  );
  return { parts, compared: { times: false, versions } };
}

async function everyHasVersion(items: readonly LoadItem[], index: string): Promise<boolean> {
  for (const item of items) {
    for await (const record of item.open().records) {
      if (record.kind !== 'document' || record.document.index !== index) continue;
      if (record.document.version === null) return false;
    }
  }
  return true;
}
