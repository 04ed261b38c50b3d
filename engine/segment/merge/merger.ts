// Merges adjacent segments into one without looking at a document again: postings and columns are
// renumbered and written anew, deleted documents are left out. The result is what building the surviving
// documents would have given.

import { writeDocSet } from '../sets/doc-set';
import { FieldPartWriter } from '../write/field-parts';
import { FLAG, PART, type FieldEntry } from '../format/format';
import { planMerge, survivors, type MergeInput } from './merge-input';
import { mergeTerms } from './merge-terms';
import { writeNorms } from '../postings/norms-part';
import { OpenSegment } from '../read/open-segment';
import { PostingsWriter } from '../postings/postings-writer';
import type { SegmentReader } from '../contract/reader';
import { SegmentWriter, type BuiltSegment } from '../format/segment-writer';
import { writeSequences } from '../columns/sequence-column';
import { Turns, type StepClock } from '../format/steps';
import { TermWriter } from '../dictionary/term-writer';
import { CompletionWriter } from '../completion/completion-writer';
import { NumberCollector, PointCollector } from '../columns/value-collectors';
import type { FieldId } from '../../metadata/index';

/** Work between two yields, in milliseconds. */
const TURN_MS = 6;
/** Documents handled between two looks at the clock. */
const STEP = 8192;

/**
 * Merges segments of one shard. Yields about every 6 ms of work; the caller may drop the generator at
 * any yield.
 *
 * @param readers adjacent segments in log order, from `openSegment`; the merge sees their deletions as of
 *   now and leaves later ones to the caller
 * @returns the merged segment; without documents when nothing is alive
 * @throws CorruptionError from the store
 */
export function* mergeSegments(readers: readonly SegmentReader[]): Generator<void, BuiltSegment> {
  const segments = readers.map((reader) => {
    if (!(reader instanceof OpenSegment)) throw new TypeError('only open segments can be merged');
    return reader;
  });
  const turns = new Turns(TURN_MS);
  const input = yield* planMerge(segments, turns);
  const { docCount, rootDocs, sequences, sources } = input;
  const writer = new SegmentWriter();
  if (turns.over()) yield;

  if (docCount > 0) writer.addPart(0, PART.sequences, writeSequences(sequences));
  if (turns.over()) yield;
  if (input.roots !== null) writer.addPart(0, PART.roots, writeDocSet(rootDocs, docCount, null));
  const paths: string[] = [];
  for (const path of new Set(sources.flatMap(({ contents }) => contents.directory.nestedPaths))) {
    const members = survivors(sources, (contents) => contents.nestedDocs(path));
    if (members.length === 0) continue;
    writer.addPart(0, PART.nested, writeDocSet(members, docCount, null), paths.length);
    paths.push(path);
  }
  for (const [field, entries] of fieldsOf(segments)) {
    const presence = survivors(sources, (contents) => contents.presence(field));
    if (turns.over()) yield;
    if (presence.length > 0) {
      const out = new FieldPartWriter(writer, field, docCount, presence, input.roots);
      writer.addField(yield* mergeField(input, entries, out, turns));
    }
    if (turns.over()) yield;
  }
  return writer.finish(
    {
      docCount,
      rootCount: rootDocs.length,
      minSequence: sequences.at(0) ?? 0,
      maxSequence: sequences.at(-1) ?? 0,
    },
    paths,
  );
}

/** What each segment's directory says of each field, by ascending id. */
function fieldsOf(segments: readonly OpenSegment[]): Map<FieldId, FieldEntry[]> {
  const fields = new Map<FieldId, FieldEntry[]>();
  for (const { contents } of segments) {
    for (const entry of contents.directory.fields) {
      const entries = fields.get(entry.id);
      if (entries === undefined) fields.set(entry.id, [entry]);
      else entries.push(entry);
    }
  }
  return new Map([...fields].sort(([a], [b]) => a - b));
}

function* mergeField(
  input: MergeInput,
  entries: readonly FieldEntry[],
  out: FieldPartWriter,
  turns: StepClock,
): Generator<void, FieldEntry> {
  const last = entries.at(-1)!;
  const withTerms = entries.filter((entry) => entry.termCount > 0);
  // Where segments differ in what they recorded, the lesser holds; the rest would hold for some documents
  // only.
  const common = (withTerms.length > 0 ? withTerms : entries).reduce(
    (all, { flags }) => all & flags,
    ~0,
  );
  const any = entries.reduce((all, { flags }) => all | flags, 0);
  const flags =
    (common & (FLAG.freqs | FLAG.positions | FLAG.norms)) | (any & (FLAG.indexed | FLAG.docValues));
  if (last.kind === 'string') return yield* mergeStrings(input, { ...last, flags }, out, turns);
  if (last.kind === 'geo') yield* mergePoints(input, last.id, out, turns);
  else yield* mergeNumbers(input, { ...last, flags }, out, turns);
  return { ...last, flags };
}

function* mergeStrings(
  input: MergeInput,
  entry: FieldEntry,
  out: FieldPartWriter,
  turns: StepClock,
): Generator<void, FieldEntry> {
  const { sources, docCount } = input;
  const has = (flag: number): boolean => (entry.flags & flag) !== 0;
  let norms: Uint8Array | null = null;
  if (has(FLAG.norms)) {
    norms = new Uint8Array(docCount);
    for (const { contents, newDocs } of sources) {
      const from = contents.norms(entry.id);
      if (from === null) continue;
      for (let doc = 0; doc < newDocs.length; doc++) {
        if (newDocs[doc]! >= 0) norms[newDocs[doc]!] = from[doc]!;
      }
      if (turns.over()) yield;
    }
  }
  const writer = new TermWriter(new PostingsWriter(has(FLAG.freqs), has(FLAG.positions), norms));
  const withTerm = yield* mergeTerms(
    sources,
    (contents) => contents.terms(entry.id),
    docCount,
    writer,
    turns,
  );
  if (norms !== null && writer.termCount > 0) out.add(PART.norms, writeNorms(norms, out.presence));
  if (turns.over()) yield;
  const { termCount, sumDocFreq } = writer;
  yield* writer.finishInSteps(entry.id, out.segment, turns);
  yield* mergeCompletions(input, entry.id, out, turns);
  return {
    ...entry,
    flags: termCount > 0 ? entry.flags : entry.flags & ~FLAG.norms,
    docCount: withTerm,
    termCount,
    sumDocFreq,
    sumTotalTermFreq: has(FLAG.freqs) ? writer.sumTotalTermFreq : -1,
  };
}

function* mergeCompletions(
  { sources, docCount }: MergeInput,
  field: FieldId,
  out: FieldPartWriter,
  turns: StepClock,
): Generator<void, void> {
  if (sources.every(({ contents }) => contents.completionTerms(field) === null)) return;
  const writer = new CompletionWriter();
  yield* mergeTerms(
    sources,
    (contents) => contents.completionTerms(field),
    docCount,
    writer,
    turns,
  );
  yield* writer.finishInSteps(field, out.segment, turns);
}

function* mergeNumbers(
  input: MergeInput,
  entry: FieldEntry,
  out: FieldPartWriter,
  turns: StepClock,
): Generator<void, void> {
  const collector = new NumberCollector(entry.kind, { bytes: 0 });
  for (const { contents, newDocs } of input.sources) {
    const column = contents.numbers(entry.id);
    if (column === null) continue;
    const { offsets, present, high } = column;
    for (let doc = 0; doc < newDocs.length; doc++) {
      if ((doc & (STEP - 1)) === 0 && turns.over()) yield;
      const to = newDocs[doc]!;
      if (to < 0 || (offsets === null && present !== null && !present.has(doc))) continue;
      const end = offsets === null ? doc + 1 : offsets[doc + 1]!;
      for (let at = offsets === null ? doc : offsets[doc]!; at < end; at++) {
        if (high === null) collector.add(to, column.valueAt(at));
        else collector.addLong(to, column.longAt(at));
      }
    }
  }
  yield* out.addNumbers(collector.finish(), turns);
}

function* mergePoints(
  input: MergeInput,
  field: FieldId,
  out: FieldPartWriter,
  turns: StepClock,
): Generator<void, void> {
  const collector = new PointCollector({ bytes: 0 });
  for (const { contents, newDocs } of input.sources) {
    const column = contents.points(field);
    if (column === null) continue;
    const { offsets, latitudes, longitudes } = column;
    for (let doc = 0; doc < newDocs.length; doc++) {
      if ((doc & (STEP - 1)) === 0 && turns.over()) yield;
      const to = newDocs[doc]!;
      if (to < 0) continue;
      for (let at = offsets[doc]!; at < offsets[doc + 1]!; at++) {
        collector.add(to, latitudes[at]!, longitudes[at]!);
      }
    }
  }
  out.addPoints(collector.finish());
}
