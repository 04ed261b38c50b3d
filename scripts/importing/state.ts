// What is done, on disk: a run that was killed at any moment goes on where it was.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { EXIT, ExitError } from '../common/program';

const FORMAT = 1;
/** Reasons for refusals that are kept, of an index, and documents named for each. */
const MAX_REASONS = 50;
const MAX_EXAMPLES = 10;
/** Milliseconds between writes that can wait, and how many times as long as a write at least. */
const MIN_PAUSE = 200;
const PAUSE_FACTOR = 20;

/** Outcomes of documents. */
export interface Tally {
  read: number;
  written: number;
  /** There already, in the same version. */
  present: number;
  /** The target has a later version. */
  newer: number;
  /** Their time to live was over. */
  expired: number;
  /** Not taken by the target. */
  refused: number;
}

/** Why documents were refused, and the first of them. */
export interface Refusal {
  readonly reason: string;
  count: number;
  readonly examples: string[];
}

/** What is known of a slice. */
export interface SliceState extends Tally {
  isDone: boolean;
  /** Bytes of the file of its index when it was done, where there is one. */
  fileLength?: number;
  refusals: Refusal[];
}

/** What is known of an index. */
export interface IndexState {
  /** Made by this import, or about to be. */
  isOwn: boolean;
  isCreated: boolean;
  slices: Record<string, SliceState>;
}

interface Content {
  readonly format: number;
  readonly from: string;
  readonly to: string;
  readonly begun: string;
  readonly indices: Record<string, IndexState>;
}

/** A slice of which nothing is known. */
export function newSlice(): SliceState {
  return { isDone: false, refusals: [], ...newTally() };
}

/** Nothing counted. */
export function newTally(): Tally {
  return { read: 0, written: 0, present: 0, newer: 0, expired: 0, refused: 0 };
}

/** Adds the counts of one tally to another. */
export function addTally(
  sum: Tally,
  { read, written, present, newer, expired, refused }: Tally,
): void {
  sum.read += read;
  sum.written += written;
  sum.present += present;
  sum.newer += newer;
  sum.expired += expired;
  sum.refused += refused;
}

/** Notes that a document was refused. */
export function addRefusal(refusals: Refusal[], reason: string, name: string): void {
  let known = refusals.find((refusal) => refusal.reason === reason);
  if (known === undefined) {
    if (refusals.length >= MAX_REASONS) return;
    known = { reason, count: 0, examples: [] };
    refusals.push(known);
  }
  known.count++;
  if (known.examples.length < MAX_EXAMPLES) known.examples.push(name);
}

/** The state file. */
export class ImportState {
  /** When it is worth writing the file again. */
  private due = 0;

  private constructor(
    private readonly path: string,
    private readonly content: Content,
    /** Whether an earlier run has left it. */
    readonly isResumed: boolean,
  ) {}

  /**
   * Reads the file, or begins a new one.
   *
   * @throws ExitError (usage) for a file of another import, or none of ours
   */
  static open(path: string, from: string, to: string): ImportState {
    if (!existsSync(path)) {
      const content = { format: FORMAT, from, to, begun: new Date().toISOString(), indices: {} };
      return new ImportState(path, content, false);
    }
    const content = readContent(path);
    if (content.from !== from || content.to !== to) {
      throw new ExitError(
        EXIT.usage,
        `${path} is of an import from ${content.from} to ${content.to}; ` +
          'name another file with --state, or delete it to begin anew',
      );
    }
    return new ImportState(path, content, true);
  }

  /** What is known of an index; nothing at first. */
  index(name: string): IndexState {
    const { indices } = this.content;
    if (!Object.hasOwn(indices, name)) {
      indices[name] = { isOwn: false, isCreated: false, slices: {} };
    }
    return indices[name]!;
  }

  /**
   * Writes the file, unless it was written a moment ago: for what may be done once more. The larger it is,
   * the more seldom.
   */
  saveSoon(): void {
    if (performance.now() >= this.due) this.save();
  }

  /** Writes the file: what it said before is there until what it says now is. */
  save(): void {
    const began = performance.now();
    const temporary = `${this.path}.new`;
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeFileSync(file, JSON.stringify(this.content));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, this.path);
    const now = performance.now();
    this.due = now + Math.max(MIN_PAUSE, (now - began) * PAUSE_FACTOR);
  }
}

function readContent(path: string): Content {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Content;
    if (content.format === FORMAT) return content;
  } catch {
    // Something else.
  }
  throw new ExitError(
    EXIT.usage,
    `${path} is no state file of facetd-import; delete it, or name another`,
  );
}
