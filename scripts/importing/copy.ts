// An import from server to server: indices, documents slice by slice, then what refers to them, then the
// comparison of both sides.

import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, ExitError } from '../common/program';
import { Progress } from '../common/progress';
import { createIndex, refuseTaken } from './claims';
import { HttpError } from './connection';
import { losses, timeFields, type IndexDefinition } from './definition';
import { countSlices, type OldServer, type SourceSlice } from './old-server';
import { inParallel } from './pool';
import type { ImportReport, IndexReport } from './report';
import { BrokenScanError, choosePageSize, scan, sliceName } from './scan';
import { addTally, newSlice, newTally, type ImportState, type Refusal } from './state';
import type { Target } from './target';
import { verifyIndex, type VerifyLevel } from './verify';

/** A slice that breaks off is begun again so often, with waits between, in milliseconds. */
const MAX_SCANS = 6;
const FIRST_WAIT = 500;

/** What to import, and how. */
export interface CopyOptions {
  /** Names of indices with `*`. */
  readonly indices: string;
  /** Slices at a time. */
  readonly parallel: number;
  readonly level: VerifyLevel;
  readonly isMirror: boolean;
  /** Whether indices that exist already may be written to. */
  readonly isMerge: boolean;
  /** No progress is shown. */
  readonly isQuiet: boolean;
}

/** An index on its way. */
interface Moved {
  readonly definition: IndexDefinition;
  readonly slices: readonly SourceSlice[];
  readonly problems: string[];
  /** False: the target has not taken it. */
  isThere: boolean;
}

/** Copies what a server has to another, or what an earlier run has left. */
export class ServerCopy {
  private readonly problems: string[] = [];

  constructor(
    private readonly source: OldServer,
    private readonly target: Target,
    private readonly state: ImportState,
    private readonly options: CopyOptions,
  ) {}

  /**
   * Copies, and verifies.
   *
   * @throws ExitError when the target has indices of the same names; UnreachableError for a server that is
   *         away or busy for too long: another run goes on from there
   */
  async run(): Promise<ImportReport> {
    const { open, closed } = await this.source.list(this.options.indices);
    if (open.length + closed.length === 0) {
      throw new ExitError(EXIT.failed, `the source has no index [${this.options.indices}]`);
    }
    for (const name of closed) {
      this.problems.push(
        `index [${name}] is closed: nothing of it can be read; open it and run again`,
      );
    }
    const moved: Moved[] = [];
    for (const name of open) moved.push(await this.describe(name));
    const names = moved.map(({ definition }) => definition.name);
    await refuseTaken(names, this.target, this.state, this.options.isMerge);
    for (const one of moved) {
      const problem = await createIndex(one.definition, this.target, this.state);
      if (problem === null) one.isThere = true;
      else one.problems.push(problem);
    }
    const there = moved.filter(({ isThere }) => isThere);
    await this.copyDocuments(there);
    await this.addReferences(there);
    return this.verify(moved);
  }

  private progress(label: string, total: number, before = 0): Progress | null {
    return this.options.isQuiet ? null : new Progress(label, total, before);
  }

  private async describe(name: string): Promise<Moved> {
    const definition = await this.source.describe(name);
    await this.source.tryTimes(definition);
    return {
      definition,
      slices: await this.source.slices(definition),
      problems: [...losses(definition, this.source.hasExactTimes)],
      isThere: false,
    };
  }

  private async copyDocuments(moved: readonly Moved[]): Promise<void> {
    await this.source.refresh(moved.map(({ definition }) => definition.name));
    let total = 0;
    let before = 0;
    const tasks: { readonly one: Moved; readonly slice: SourceSlice }[] = [];
    for (const one of moved) {
      total += await countSlices(this.source.connection, one.slices);
      const { slices } = this.state.index(one.definition.name);
      for (const slice of one.slices) {
        const known = slices[sliceKey(slice)];
        if (known?.isDone === true) before += known.read;
        else tasks.push({ one, slice });
      }
    }
    if (tasks.length === 0) return;
    const progress = this.progress('copying documents', total, before);
    let done = before;
    await inParallel(tasks, this.options.parallel, ({ one, slice }) =>
      this.copySlice(one, slice, (count) => {
        done += count;
        // More may have been written to the source meanwhile.
        progress?.update(Math.min(done, total - 1));
      }),
    );
    this.state.save();
    progress?.update(total);
  }

  private async copySlice(
    { definition, problems }: Moved,
    slice: SourceSlice,
    onRead: (count: number) => void,
  ): Promise<void> {
    const { slices } = this.state.index(definition.name);
    const key = sliceKey(slice);
    const isResumed = slices[key] !== undefined;
    const options = {
      times: timeFields(definition, this.source.hasExactTimes),
      withSource: true,
      pageSize: await choosePageSize(this.source.connection, slice.index),
    };
    for (let attempt = 0; ; attempt++) {
      const outcome = newSlice();
      slices[key] = outcome;
      this.state.saveSoon();
      try {
        let isAgain = isResumed || attempt > 0;
        for await (const documents of scan(this.source.connection, slice, options)) {
          if (documents === 'anew') {
            onRead(-outcome.read);
            Object.assign(outcome, newSlice());
            isAgain = true;
            continue;
          }
          const { target } = slice;
          const moved =
            target === undefined
              ? documents
              : documents.map((document) => ({ ...document, ...target }));
          await this.target.write(moved, outcome, isAgain);
          onRead(documents.length);
        }
        outcome.isDone = true;
        this.state.saveSoon();
        return;
      } catch (error) {
        onRead(-outcome.read);
        if (error instanceof BrokenScanError && attempt + 1 < MAX_SCANS) {
          await sleep(FIRST_WAIT * 2 ** attempt);
        } else if (error instanceof BrokenScanError || error instanceof HttpError) {
          problems.push(`${sliceName(slice)} could not be copied: ${error.message}`);
          return;
        } else throw error;
      }
    }
  }

  /** What makes indices known to others comes when they have their documents. */
  private async addReferences(moved: readonly Moved[]): Promise<void> {
    await this.target.refresh(moved.map(({ definition }) => definition.name));
    const lacking: IndexDefinition[] = [];
    for (const { definition, problems } of moved) {
      const lacks = await this.target.lacking(definition);
      problems.push(...(await this.target.addWarmers(lacks)));
      lacking.push(lacks);
    }
    this.problems.push(
      ...(await this.target.addAliases(lacking)),
      ...(await this.target.addTemplates(await this.source.templates())),
    );
  }

  private async verify(moved: readonly Moved[]): Promise<ImportReport> {
    const { level, isMirror } = this.options;
    const indices: Record<string, IndexReport> = {};
    const all = newTally();
    const progress = level === 'none' ? null : this.progress('verifying indices', moved.length);
    for (const [at, { definition, slices, problems, isThere }] of moved.entries()) {
      const { name } = definition;
      const state = this.state.index(name);
      const sum = newTally();
      const refusals: Refusal[] = [];
      for (const slice of Object.values(state.slices)) {
        addTally(sum, slice);
        refusals.push(...slice.refusals);
      }
      addTally(all, sum);
      const what = { source: this.source, target: this.target, definition, slices };
      const verdict =
        isThere && level !== 'none'
          ? await verifyIndex(what, { level, isMirror, isMerged: !state.isOwn }).catch(
              (error: unknown) => {
                if (!(error instanceof HttpError) && !(error instanceof BrokenScanError))
                  throw error;
                problems.push(`could not be verified: ${error.message}`);
                return null;
              },
            )
          : null;
      // Last of all, as nothing can be written any more then.
      if (isThere) problems.push(...(await this.target.addBlocks(definition)));
      const differences = [...problems, ...(verdict?.differences ?? [])];
      indices[name] = {
        ok: isThere && differences.length === 0 && (verdict !== null || refusals.length === 0),
        documents: sum,
        verified: verdict,
        differences,
        // They were tried again when both sides were compared.
        refusals: verdict === null ? refusals : [],
        notes: verdict?.notes ?? [],
      };
      progress?.update(at + 1);
    }
    const isClean = this.problems.length === 0 && Object.values(indices).every(({ ok }) => ok);
    return {
      ok: isClean,
      from: this.source.connection.url,
      to: this.target.name,
      level,
      documents: all,
      indices,
      problems: this.problems,
      notes: [
        'not carried over: scripts in files, cluster settings, repositories, keys, rivers and plugins',
      ],
    };
  }
}

function sliceKey(slice: SourceSlice): string {
  const lead = slice.target === undefined ? '' : `${slice.index}/`;
  return lead + sliceName(slice);
}
