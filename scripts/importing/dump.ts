// From a server to a folder of files.

import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { JsonNumber, writeJson, type JsonOutput } from '../../engine/json/index';
import { EXIT, ExitError } from '../common/program';
import { Progress } from '../common/progress';
import { compare } from './compare';
import { losses, timeFields, type IndexDefinition } from './definition';
import { isExpired, oneLine, type ImportedDocument } from './document';
import { dataFile, writeDefinition, writeTemplates } from './dump-folder';
import { fileSide, type LoadItem } from './load';
import { countSlices, type OldServer, type SourceSlice } from './old-server';
import { inParallel } from './pool';
import type { ImportReport, IndexReport } from './report';
import { BrokenScanError, choosePageSize, scan, sliceName } from './scan';
import { addRefusal, addTally, newSlice, newTally, type ImportState } from './state';
import { describeDifferences, serverSide, sideOf, type VerifyLevel } from './verify';

/** A slice that breaks off is begun again so often. */
const MAX_SCANS = 6;

/** What to dump, and how. */
export interface DumpOptions {
  readonly indices: string;
  /** Indices at a time. */
  readonly parallel: number;
  readonly level: VerifyLevel;
  readonly isQuiet: boolean;
}

/** An index on its way. */
interface Dumped {
  readonly definition: IndexDefinition;
  readonly slices: readonly SourceSlice[];
}

/** Writes what a server has into a folder, or what an earlier run has left. */
export class ServerDump {
  constructor(
    private readonly source: OldServer,
    private readonly folder: string,
    private readonly state: ImportState,
    private readonly options: DumpOptions,
    /** How a file of the folder is read again. */
    private readonly reader: (definition: IndexDefinition, path: string) => LoadItem,
  ) {}

  /** Dumps, and verifies. @throws BrokenScanError; HttpError, UnreachableError: another run goes on */
  async run(): Promise<ImportReport> {
    const { open, closed } = await this.source.list(this.options.indices);
    if (open.length + closed.length === 0) {
      throw new ExitError(EXIT.failed, `the source has no index [${this.options.indices}]`);
    }
    mkdirSync(this.folder, { recursive: true });
    const dumped: Dumped[] = [];
    for (const name of open) {
      const definition = await this.source.describe(name);
      await this.source.tryTimes(definition);
      dumped.push({ definition, slices: await this.source.slices(definition) });
      writeDefinition(this.folder, definition);
    }
    writeTemplates(this.folder, await this.source.templates());
    await this.source.refresh(open);
    await this.writeAll(dumped);
    return this.verify(dumped, closed);
  }

  private async writeAll(dumped: readonly Dumped[]): Promise<void> {
    let total = 0;
    let before = 0;
    for (const { definition, slices } of dumped) {
      total += await countSlices(this.source.connection, slices);
      for (const slice of Object.values(this.state.index(definition.name).slices)) {
        if (slice.isDone) before += slice.read;
      }
    }
    const progress = this.options.isQuiet ? null : new Progress('writing documents', total, before);
    let done = before;
    await inParallel(dumped, this.options.parallel, (one) =>
      this.writeIndex(one, (count) => {
        done += count;
        progress?.update(Math.min(done, total - 1));
      }),
    );
    progress?.update(total);
  }

  /** The slices of an index one after the other: a file of an earlier run is cut to the last whole one. */
  private async writeIndex(
    { definition, slices }: Dumped,
    onWritten: (count: number) => void,
  ): Promise<void> {
    const states = this.state.index(definition.name).slices;
    const file = openSync(dataFile(this.folder, definition.name), 'a', 0o600);
    try {
      let end = Math.max(0, ...Object.values(states).map(({ fileLength }) => fileLength ?? 0));
      for (const slice of slices) {
        const key = `${slice.index}/${sliceName(slice)}`;
        if (states[key]?.isDone === true) continue;
        end = await this.writeSlice(
          file,
          definition,
          slice,
          end,
          (state) => {
            states[key] = state;
          },
          onWritten,
        );
      }
    } finally {
      closeSync(file);
    }
  }

  private async writeSlice(
    file: number,
    definition: IndexDefinition,
    slice: SourceSlice,
    begin: number,
    keep: (state: ReturnType<typeof newSlice>) => void,
    onWritten: (count: number) => void,
  ): Promise<number> {
    const options = {
      times: timeFields(definition, this.source.hasExactTimes),
      withSource: true,
      pageSize: await choosePageSize(this.source.connection, slice.index),
    };
    for (let attempt = 1; ; attempt++) {
      ftruncateSync(file, begin);
      let end = begin;
      const state = newSlice();
      try {
        for await (const documents of scan(this.source.connection, slice, options)) {
          if (documents === 'anew') {
            onWritten(-state.read);
            Object.assign(state, newSlice());
            ftruncateSync(file, begin);
            end = begin;
            continue;
          }
          const lines: string[] = [];
          for (const document of documents) {
            state.read++;
            if (isExpired(document, Date.now())) state.expired++;
            else if (document.source === null) {
              state.refused++;
              addRefusal(
                state.refusals,
                'the source keeps no _source, or gives none',
                `${document.type}/${document.id}`,
              );
            } else {
              state.written++;
              lines.push(dumpLine({ ...document, ...slice.target }, document.source));
            }
          }
          const bytes = Buffer.from(lines.join(''));
          for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
          end += bytes.length;
          onWritten(documents.length);
        }
        fsyncSync(file);
        keep({ ...state, isDone: true, fileLength: end });
        this.state.save();
        return end;
      } catch (error) {
        onWritten(-state.read);
        if (!(error instanceof BrokenScanError) || attempt >= MAX_SCANS) throw error;
      }
    }
  }

  private async verify(
    dumped: readonly Dumped[],
    closed: readonly string[],
  ): Promise<ImportReport> {
    const indices: Record<string, IndexReport> = {};
    const all = newTally();
    for (const { definition, slices } of dumped) {
      const { name } = definition;
      const documents = newTally();
      const states = Object.values(this.state.index(name).slices);
      for (const slice of states) addTally(documents, slice);
      addTally(all, documents);
      const refusals = states.flatMap((slice) => slice.refusals);
      const problems = losses(definition, this.source.hasExactTimes);
      const report = { documents, refusals, notes: [] };
      if (this.options.level === 'none') {
        const ok = problems.length + refusals.length === 0;
        indices[name] = { ...report, ok, verified: null, differences: problems };
        continue;
      }
      const times = timeFields(definition, this.source.hasExactTimes);
      const comparison = await compare(
        serverSide(this.source.connection, slices, times),
        fileSide([this.reader(definition, dataFile(this.folder, name))], name, true),
      );
      const { losses: missing, extra } = describeDifferences(comparison, []);
      const differences = [...problems, ...missing, ...extra];
      indices[name] = {
        ...report,
        ok: differences.length + refusals.length === 0,
        verified: {
          source: sideOf(comparison.source),
          target: sideOf(comparison.target),
          fields: 0,
          mended: 0,
          differences: [...missing, ...extra],
          notes: [],
        },
        differences,
      };
    }
    const problems = closed.map((name) => `index [${name}] is closed: nothing of it can be read`);
    return {
      ok: problems.length === 0 && Object.values(indices).every(({ ok }) => ok),
      from: this.source.connection.url,
      to: this.folder,
      level: this.options.level,
      documents: all,
      indices,
      problems,
      notes: [],
    };
  }
}

/** A document as a hit of a search, as elasticdump writes it. */
function dumpLine(document: ImportedDocument, source: string): string {
  const { index, type, id, version, routing, parent, timestamp, expires } = document;
  const fields = Object.entries({
    _routing: routing,
    _parent: parent,
    _timestamp: timestamp,
    _expires: expires,
  }).filter(([, value]) => value !== null);
  const head: Record<string, JsonOutput | undefined> = {
    _index: index,
    _type: type,
    _id: id,
    _version: version === null ? undefined : new JsonNumber(version),
    fields: fields.length === 0 ? undefined : Object.fromEntries(fields),
  };
  return `${writeJson(head).slice(0, -1)},"_source":${oneLine(source)}}\n`;
}
