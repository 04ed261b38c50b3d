// Answers recorded from a 1.7.6 server: what mappings read back as, how they merge, which documents are
// refused with which text, and what values of dates and numbers stand for.

import { parseJson } from '../../../../engine/json/parse';
import type { JsonNumber } from '../../../../engine/json/json';
import { type JsonValue } from '../../../../engine/json/json';
import documents from './recorded/documents.json';
import merges from './recorded/merges.json';
import options from './recorded/options.json';
import specialDocuments from './recorded/special-documents.json';
import values from './recorded/values.json';
import { errorOf, RecordingSink, TestIndex } from './support';

interface Recorded {
  readonly error?: string;
}

/** Recorded nested errors end in "; ", our outermost one alone does not. */
function same(actual: string | null, recorded: string): void {
  expect(actual?.replace(/; $/, '')).toBe(recorded.replace(/; $/, ''));
}

/** Mappings that are refused on purpose (docs/compatibility.md). */
function isRefused(mapping: object): boolean {
  return 'transform' in mapping;
}

describe('mapping options', () => {
  const cases = options as readonly (Recorded & {
    kind: string;
    put: object;
    get?: object;
  })[];

  test.each(cases.map((each) => [JSON.stringify(each.put), each] as const))('%s', (_, each) => {
    const index = new TestIndex();
    const body =
      each.kind === 'field'
        ? { properties: { a: each.put } }
        : each.kind === 'properties'
          ? { properties: each.put }
          : each.put;
    const error = errorOf(() => index.put('t', body));
    if (isRefused(each.put)) expect(error).toContain('is not supported');
    else if (each.error !== undefined) same(error, each.error);
    else {
      expect(error).toBeNull();
      expect(index.get()).toEqual(each.get);
    }
  });
});

describe('merging', () => {
  const recorded = merges as readonly (Recorded & { current: object; put: object; get: object })[];
  const cases = recorded.filter(({ current, put }) => !isRefused(current) && !isRefused(put));

  test.each(
    cases.map(
      (each) => [`${JSON.stringify(each.current)} + ${JSON.stringify(each.put)}`, each] as const,
    ),
  )('%s', (_, each) => {
    const index = new TestIndex({ t: each.current });
    const error = errorOf(() => index.put('t', each.put));
    expect(error).toBe(each.error ?? null);
    expect(index.get()).toEqual(each.get);
  });
});

describe.each([
  ['documents', documents],
  ['documents of shapes, completions and hashes', specialDocuments],
])('%s', (_title, recorded) => {
  const cases = recorded.documents as readonly (Recorded & { source: string })[];
  // One after another into one index: fields that one document adds bind the next.
  const index = new TestIndex({ t: recorded.mapping });

  test.each(cases.map((each) => [each.source, each] as const))('%s', (source, each) => {
    const error = index.check(source)?.replace(/\n at \[Source:[^\]]*\]/g, '') ?? null;
    if (each.error === undefined) expect(error).toBeNull();
    else if (each.error.endsWith('JsonParseException[')) expect(error).toContain(each.error);
    else same(error, each.error);
  });
});

describe('values', () => {
  const index = new TestIndex({ d: values.mapping });
  const mapping = index.compile();
  const field = (name: string) => mapping.find(name, [])!.mapped;
  const jsonOf = (value: unknown) =>
    parseJson(JSON.stringify(value)) as string | JsonNumber | boolean;

  const parsed = values.parsed as readonly (Recorded & {
    field: string;
    value: string | number;
    millis?: number;
  })[];
  test.each(parsed.map((each) => [each.field, JSON.stringify(each.value), each] as const))(
    'document %s: %s',
    (name, value, each) => {
      const sink = new RecordingSink();
      const { error } = mapping
        .documentMapper('d')!
        .parse(
          Buffer.from(`{${JSON.stringify(name)}:${value}}`),
          { id: '1', routing: null, parent: null, timestamp: null, expiry: null },
          sink,
        );
      if (each.error !== undefined) {
        expect(error?.toWireString()).toBe(
          `MapperParsingException[failed to parse [${name}]]; nested: ${each.error}`,
        );
      } else {
        expect(error).toBeNull();
        expect(sink.calls).toContain(`${name}=${each.millis}`);
      }
    },
  );

  const bounds = values.bounds as readonly (Recorded & {
    field: string;
    range: Record<string, JsonValue>;
  })[];
  test.each(bounds.map((each) => [each.field, JSON.stringify(each.range), each] as const))(
    'range %s: %s',
    (name, _, each) => {
      const [operator, value] = Object.entries(each.range)[0]!;
      const error = errorOf(() =>
        field(name).boundOf(jsonOf(value), {
          roundUp: operator === 'lte' || operator === 'gt',
          format: (each.range['format'] as string | undefined) ?? null,
          timeZone: (each.range['time_zone'] as string | undefined) ?? null,
          now: () => 1_400_000_000_000,
        }),
      );
      if (each.error === undefined) expect(error).toBeNull();
      else same(error, each.error);
    },
  );

  const terms = values.terms as readonly (Recorded & { field: string; value: unknown })[];
  test.each(terms.map((each) => [each.field, JSON.stringify(each.value), each] as const))(
    'term %s: %s',
    (name, _, each) => {
      const error = errorOf(() => field(name).termOf(jsonOf(each.value)));
      if (each.error === undefined) expect(error).toBeNull();
      else same(error, each.error.replace(/;$/, ''));
    },
  );

  const math = values.math as readonly { range: Record<string, string>; millis: string }[];
  test.each(math.map((each) => [JSON.stringify(each.range), each] as const))('%s', (_, each) => {
    const [operator, text] = Object.entries(each.range)[0]!;
    const bound = field('d').boundOf(text, {
      roundUp: operator === 'lte' || operator === 'gt',
      format: null,
      timeZone: each.range['time_zone'] ?? null,
      now: () => 0,
    });
    expect(String(bound)).toBe(each.millis);
  });
});
