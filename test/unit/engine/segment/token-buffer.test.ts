// The short cuts of inversion against the long way: ASCII text by table, and words remembered by keyword.

import fc from 'fast-check';
import type { Analyzer } from '../../../../engine/analysis/chain/analyzer';
import { STANDARD_ANALYZER } from '../../../../engine/analysis/builtin';
import { ChainAnalyzer } from '../../../../engine/analysis/chain/chain-analyzer';
import { LOWERCASE_FILTER } from '../../../../engine/analysis/token-filters/case';
import { StandardTokenizer } from '../../../../engine/analysis/tokenizers/standard';
import { SegmentBuilder } from '../../../../engine/segment/write/segment-builder';
import { hashTerm } from '../../../../engine/segment/dictionary/term-hash';
import { TokenBuffer } from '../../../../engine/segment/write/token-buffer';
import type { OpenSegment } from '../../../../engine/segment/read/open-segment';
import { MemorySegments } from '../../../support/memory-segments';
import { indexedField } from '../../../support/indexed-field';
import { propertyRuns } from '../../../support/random';
import { WORDS } from '../../../support/segment-documents';

/** The tokens of a buffer as text, with the check that their hashes are right. */
function tokensOf(tokens: TokenBuffer): string[] {
  return Array.from({ length: tokens.count }, (_, i) => {
    const [from, to] = [tokens.starts[i]!, tokens.starts[i + 1]!];
    expect(tokens.hashes[i]).toBe(hashTerm(tokens.bytes, from, to));
    const term = Buffer.from(tokens.bytes.subarray(from, to)).toString();
    return `${term}@${tokens.increments[i]}`;
  });
}

function expectSameTokens(analyzer: Analyzer, texts: readonly string[]): void {
  expect(analyzer.asciiWords).toBeTruthy();
  const tokens = new TokenBuffer();
  const expected: string[] = [];
  for (const text of texts) {
    tokens.analyze(analyzer, text);
    analyzer.forEachTerm(text, (term, increment) => expected.push(`${term}@${increment}`));
  }
  expect(tokensOf(tokens)).toEqual(expected);
}

const SHORT = new ChainAnalyzer('short', {
  tokenizer: new StandardTokenizer(4),
  tokenFilters: [LOWERCASE_FILTER],
});

describe('words of ASCII text by table', () => {
  const characters = fc.constantFrom(..."abXYZ09__''..,,::;; -\n\u0000\u007f\"@éß日");
  const text = fc.oneof(
    fc.string({ unit: characters, maxLength: 40 }),
    fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  );

  test.each([STANDARD_ANALYZER, SHORT])('are those of the analyzer ', (analyzer) => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => expectSameTokens(analyzer, texts)),
      { numRuns: propertyRuns(600) },
    );
  });

  test('also around the greatest length of a word', () => {
    const runs = [254, 255, 256, 257, 511, 600].flatMap((n) => [
      'a'.repeat(n),
      '_'.repeat(n),
      `${'_'.repeat(n)}a`,
      `${'a'.repeat(n)}.b`,
      `x ${'9'.repeat(n)}, y`,
    ]);
    expectSameTokens(STANDARD_ANALYZER, runs);
  });

  test('grow the buffer as long texts need', () => {
    expectSameTokens(STANDARD_ANALYZER, ['Ab '.repeat(5000), 'c'.repeat(100), 'D-e '.repeat(3000)]);
  });
});

describe('words remembered by keyword', () => {
  const keyword = indexedField(60, 'k');
  const hidden = indexedField(61, 'h', { indexed: false, docValues: false });
  const text = { indexOptions: 'positions', docValues: false, norms: true } as const;
  const all = indexedField(3, '_all', { ...text, analyzer: STANDARD_ANALYZER });
  const plain = indexedField(62, 't', { ...text, analyzer: STANDARD_ANALYZER });
  const holes = indexedField(63, 'w', { ...text, analyzer: WORDS, positionGap: 5 });
  const TARGETS = [all, plain, holes];

  interface Entry {
    readonly value: string;
    readonly boost: number;
    readonly inAll: boolean;
    readonly order: readonly number[];
  }

  function build(documents: readonly (readonly Entry[])[], shared: boolean): OpenSegment {
    const builder = new SegmentBuilder();
    const fields = [keyword, plain, holes, hidden];
    documents.forEach((entries, i) => {
      builder.beginDocument(i + 1);
      if (shared) {
        for (const { value, order } of entries) {
          for (const which of order) builder.text(fields[which]!, value, 1);
        }
        for (const { value, boost, inAll } of entries) if (inAll) builder.text(all, value, boost);
      } else {
        // Field by field, so that no text follows itself.
        for (const { value, boost, inAll } of entries) {
          if (inAll) builder.text(all, value, boost);
          builder.present(hidden);
        }
        for (const [which, target] of fields.entries()) {
          for (const { value, order } of entries) {
            for (const one of order) if (one === which) builder.text(target, value, 1);
            builder.present(hidden);
          }
        }
      }
      builder.endDocument();
    });
    const store = new MemorySegments();
    return store.open(store.add(builder.finish()));
  }

  function dump(reader: OpenSegment): unknown[] {
    return TARGETS.map((target) => {
      const terms = reader.terms(target.id);
      const lines: string[] = [];
      for (let ordinal = 0; ordinal < (terms?.size ?? 0); ordinal++) {
        const postings = terms!.postings(ordinal, 'positions');
        for (let doc = postings.nextDoc(); doc < reader.docCount; doc = postings.nextDoc()) {
          const positions = Array.from({ length: postings.freq() }, () => postings.nextPosition());
          lines.push(`${terms!.termAt(ordinal)} ${doc}: ${positions.join()}`);
        }
      }
      return [lines, [...(reader.norms(target.id) ?? [])]];
    });
  }

  test('leave the same postings, positions and norms as analyzing each time', () => {
    const entry = fc.record({
      value: fc.constantFrom('a b', 'b', 'A b-c', 'é b', '^a % b', '', 'c c c', '%'),
      boost: fc.constantFrom(1, 2),
      inAll: fc.boolean(),
      order: fc.constantFrom([0], [0, 1], [1, 0], [0, 2, 1], [1], [3], [0, 0, 1]),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(entry, { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
        (documents) => {
          expect(dump(build(documents, true))).toEqual(dump(build(documents, false)));
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });
});
