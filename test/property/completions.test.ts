// Completions of segments against a naive model: built, merged and with deleted documents, exact and fuzzy,
// random keys and weights.

import { mergeSegments } from '../../engine/segment/merge/merger';
import { Heaviest, WeightTree } from '../../engine/segment/completion/heaviest';
import { SegmentBuilder } from '../../engine/segment/write/segment-builder';
import { completionSuggester } from '../../engine/suggest/completion/completion-suggester';
import type { CompletionSpec } from '../../engine/suggest/contract/completion-spec';
import type { SegmentReader } from '../../engine/segment/contract/reader';
import type { CommittedSegment } from '../../storage/types';
import { indexedField } from '../support/indexed-field';
import { MemorySegments } from '../support/memory-segments';
import { Random } from '../support/random';

const FIELD = indexedField(40, 'c', { docValues: false });
const LETTERS = ['a', 'b', 'c', 'é', '\u{1f600}'];

interface Entry {
  readonly sequence: number;
  readonly key: string;
  readonly surface: string;
  readonly weight: number;
}

function word(random: Random, most: number): string {
  return Array.from({ length: random.between(1, most) }, () => random.pick(LETTERS)).join('');
}

function build(store: MemorySegments, entries: readonly Entry[]): CommittedSegment {
  const builder = new SegmentBuilder();
  for (const { sequence, key, surface, weight } of entries) {
    builder.beginDocument(sequence);
    builder.present(FIELD);
    builder.text(FIELD, key, 1);
    builder.completion(FIELD, { key, surface, weight, payload: null, isFirst: true });
    builder.endDocument();
  }
  return store.add(builder.finish());
}

function merge(store: MemorySegments, metas: readonly CommittedSegment[]): CommittedSegment {
  const steps = mergeSegments(metas.map((meta) => store.open(meta)));
  for (;;) {
    const step = steps.next();
    if (step.done === true) return store.add(step.value);
  }
}

function suggest(
  readers: readonly SegmentReader[],
  spec: Pick<CompletionSpec, 'text' | 'size' | 'fuzziness'>,
): readonly (readonly [string, number])[] {
  const full: CompletionSpec = {
    kind: 'completion',
    name: 's',
    field: FIELD.id,
    prefixes: [''],
    paths: [spec.text],
    ...spec,
  };
  const steps = completionSuggester.suggest(full, readers);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    return step.value[0]!.options.map(({ text, score }) => [text, score] as const);
  }
}

/** Edits from a text to the nearest beginning of a key. */
function nearest(text: string, key: string, transpositions: boolean): number {
  const a = Array.from(text);
  const b = Array.from(key);
  const rows: number[][] = [];
  for (let j = 0; j <= b.length; j++) {
    rows.push([]);
    for (let i = 0; i <= a.length; i++) {
      let edits = Math.max(i, j);
      if (i > 0 && j > 0) {
        edits = Math.min(
          rows[j - 1]![i - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
          rows[j - 1]![i]! + 1,
          rows[j]![i - 1]! + 1,
        );
        const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (transpositions && isSwap) edits = Math.min(edits, rows[j - 2]![i - 2]! + 1);
      }
      rows[j]!.push(edits);
    }
  }
  return Math.min(...rows.map((row) => row[a.length]!));
}

const SEED = Number(process.env['TEST_SEED'] ?? 20_260);

test.each(Array.from({ length: 20 }, (_, i) => SEED + i))('seed %i', (seed) => {
  const random = new Random(seed);
  const store = new MemorySegments();
  const metas: CommittedSegment[] = [];
  const live: Entry[] = [];
  let sequence = 0;
  for (let segment = 0; segment < 3; segment++) {
    const entries = Array.from({ length: random.between(1, 200) }, (): Entry => {
      sequence++;
      // Weights that differ, so that the order of equal ones does not matter.
      const weight = random.between(0, 2000) * 1000 + sequence;
      return { sequence, key: word(random, 7), surface: `s${sequence}`, weight };
    });
    let meta = build(store, entries);
    const deleted = entries.map((_, doc) => doc).filter(() => random.between(0, 3) === 0);
    if (deleted.length > 0 && deleted.length < entries.length)
      meta = store.delete(meta, deleted, 1);
    else deleted.length = 0;
    const gone = new Set(deleted);
    live.push(...entries.filter((_, doc) => !gone.has(doc)));
    metas.push(meta);
  }
  const merged = merge(store, metas.slice(0, 2));
  const views = [metas, [merged, metas[2]!], [merge(store, [merged, metas[2]!])]];
  for (let i = 0; i < 60; i++) {
    const text = word(random, 6);
    const size = random.between(1, 12);
    const isFuzzy = random.between(0, 1) === 0;
    const fuzziness = isFuzzy
      ? {
          maxEdits: random.between(0, 2),
          transpositions: random.between(0, 1) === 0,
          minLength: random.between(0, 4),
          prefixLength: random.between(0, 3),
          unicodeAware: true,
        }
      : null;
    const accepts = (key: string): boolean => {
      const points = Array.from(text);
      const isExact =
        fuzziness === null ||
        points.length <= fuzziness.prefixLength ||
        points.length < fuzziness.minLength;
      if (isExact) return key.startsWith(text);
      const head = points.slice(0, fuzziness.prefixLength).join('');
      if (!key.startsWith(head)) return false;
      const rest = text.slice(head.length);
      const { maxEdits, transpositions } = fuzziness;
      return nearest(rest, key.slice(head.length), transpositions) <= maxEdits;
    };
    const expected = live
      .filter(({ key }) => accepts(key))
      .sort((a, b) => b.weight - a.weight)
      .slice(0, size)
      .map(({ surface, weight }) => [surface, Math.fround(weight)]);
    for (const view of views) {
      const readers = view.map((meta) => store.open(meta));
      expect([text, fuzziness, suggest(readers, { text, size, fuzziness })]).toEqual([
        text,
        fuzziness,
        expected,
      ]);
    }
  }
});

test('what begins almost like a text is worked out twice, and then remembered', () => {
  const store = new MemorySegments();
  const entries = ['house', 'horse', 'mouse', 'hose'].map((key, i) => {
    return { sequence: i + 1, key, surface: `the ${key}`, weight: i };
  });
  const reader = store.open(build(store, entries));
  const index = reader.completions(FIELD.id)!;
  const ceiling = jest.spyOn(Object.getPrototypeOf(index) as typeof index, 'ceiling');
  const fuzziness = {
    maxEdits: 1,
    transpositions: true,
    minLength: 3,
    prefixLength: 1,
    unicodeAware: false,
  };
  const asked = [fuzziness, fuzziness, fuzziness, { ...fuzziness, prefixLength: 0 }];
  const found = asked.map((each) => {
    ceiling.mockClear();
    const options = suggest([reader], { text: 'hous', size: 10, fuzziness: each });
    return [options.map(([text]) => text), ceiling.mock.calls.length > 0];
  });
  ceiling.mockRestore();
  const likeHouse = ['the hose', 'the horse', 'the house'];
  expect(found).toEqual([
    [likeHouse, true],
    [likeHouse, true],
    [likeHouse, false],
    [['the hose', 'the mouse', 'the horse', 'the house'], true],
  ]);
});

test('the heaviest of ranges, in the order of equal weights, at all sizes of groups', () => {
  const random = new Random(SEED);
  for (const size of [1, 63, 64, 65, 4095, 4096, 4097, 9000]) {
    const weights = Uint32Array.from({ length: size }, () => random.between(0, 50));
    const tree = new WeightTree(weights);
    for (let i = 0; i < 40; i++) {
      const from = random.between(0, size - 1);
      const middle = random.between(from, size);
      const to = random.between(middle, size);
      const heaviest = new Heaviest(tree);
      heaviest.add(from, middle);
      heaviest.add(middle, to);
      const expected = Array.from({ length: to - from }, (_, at) => from + at)
        .sort((a, b) => weights[b]! - weights[a]! || a - b)
        .slice(0, 20);
      expect(Array.from(expected, () => heaviest.next())).toEqual(expected);
      if (to - from <= 20) expect(heaviest.next()).toBe(-1);
    }
  }
});

test('an entry without a weight has that of the documents with its key', () => {
  const store = new MemorySegments();
  const builder = new SegmentBuilder();
  const add = (sequence: number, entries: readonly [string, number | null][]): void => {
    builder.beginDocument(sequence);
    entries.forEach(([surface, weight], i) => {
      builder.completion(FIELD, { key: 'k', surface, weight, payload: null, isFirst: i === 0 });
    });
    builder.present(FIELD);
    builder.text(FIELD, 'k', 1);
    builder.endDocument();
  };
  add(1, [
    ['x', null],
    ['X', null],
  ]);
  add(2, [['x', null]]);
  add(3, [['y', 9]]);
  const readers = [store.open(store.add(builder.finish()))];
  expect(suggest(readers, { text: 'k', size: 5, fuzziness: null })).toEqual([
    ['y', 9],
    ['X', 3],
    ['x', 3],
  ]);
});

test('looks at few of a million entries', () => {
  // 64 of each level at each end of the range, and 64 of each level for each entry that is taken.
  const size = 1_000_000;
  const tree = new WeightTree(Uint32Array.from({ length: size }, (_, i) => (i * 7919) % size));
  const heaviest = new Heaviest(tree);
  heaviest.add(1, size - 1);
  for (let i = 0; i < 5; i++) heaviest.next();
  expect(heaviest.held).toBeLessThan(2500);
});
