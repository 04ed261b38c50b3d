// Scores recorded from the reference server: random trees over three segments with nested objects
// (recorded-scores.jsonl), and sloppy phrases with repeated terms and alternatives (sloppy-phrases.jsonl).
// The first line of a file is its documents, each other line a request with the scores by document id.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWeight } from '../../../../engine/query/weights/create-weight';
import type { Query, Rewrite } from '../../../../engine/query/ast/query';
import { prepareQuery } from '../../../../engine/query/statistics';
import { NO_MORE_DOCS } from '../../../../engine/segment/contract/bitset';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';
import { FIELDS, segmentOf, type TestObject } from '../../../support/query-segments';

type Body = Readonly<Record<string, unknown>>;

function linesOf(file: string): unknown[] {
  const text = readFileSync(join(__dirname, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Scores of root documents by their number in the log, counted from 0. */
function scoresOf(query: Query, readers: readonly SegmentReader[]): Map<string, number> {
  const prepared = prepareQuery(query, readers);
  const weight = createWeight(prepared.query, prepared.statistics);
  const scores = new Map<string, number>();
  for (const reader of readers) {
    const scorer = weight.scorer(reader);
    if (scorer === null) continue;
    for (let doc = scorer.nextDoc(); doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (reader.roots !== null && !reader.roots.has(doc)) continue;
      scores.set(String(reader.sequenceOf(doc) - 1), scorer.score());
    }
  }
  return scores;
}

function expectScores(
  actual: ReadonlyMap<string, number>,
  hits: Readonly<Record<string, number>>,
): void {
  expect([...actual.keys()].sort()).toEqual(Object.keys(hits).sort());
  for (const [id, score] of actual) {
    expect(Math.abs(score - hits[id]!)).toBeLessThanOrEqual(1e-6 * Math.abs(hits[id]!));
  }
}

const FIELD_IDS: Readonly<Record<string, number>> = {
  t: FIELDS.t.id,
  u: FIELDS.u.id,
  k: FIELDS.k.id,
  'c.a': FIELDS.a.id,
  'c.r.x': FIELDS.r.id,
};

function termOf(field: number, term: string, boost = 1): Query {
  return { kind: 'term', field, term, boost, scored: true };
}

function rewriteOf(name: string): Rewrite {
  if (name === 'scoring_boolean') return { method: 'scoringBoolean', limit: 1024 };
  const top = /^top_terms_(boost_)?(\d+)$/.exec(name);
  if (top === null) return { method: 'constant' };
  return { method: 'topTerms', size: Number(top[2]), boost: top[1] !== undefined };
}

function allOrAny(clauses: Query[], operator: unknown, boost: number): Query {
  if (clauses.length === 1) return { ...(clauses[0] as Extract<Query, { kind: 'term' }>), boost };
  return {
    kind: 'bool',
    must: operator === 'and' ? clauses : [],
    should: operator === 'and' ? [] : clauses,
    mustNot: [],
    minimumShouldMatch: 0,
    disableCoord: false,
    boost,
  };
}

/** The tree of a recorded request; `level` is the path of the enclosing nested query. */
function treeOf(body: Body, level: string | null): Query {
  const [kind, value] = Object.entries(body)[0] as [string, Body];
  const child = (each: unknown): Query => treeOf(each as Body, level);
  const children = (list: unknown): Query[] => ((list ?? []) as Body[]).map(child);
  const boost = (value['boost'] ?? 1) as number;
  switch (kind) {
    case 'bool':
      return {
        kind: 'bool',
        must: children(value['must']),
        should: children(value['should']),
        mustNot: children(value['must_not']),
        minimumShouldMatch: (value['minimum_should_match'] ?? 0) as number,
        disableCoord: value['disable_coord'] === true,
        boost,
      };
    case 'dis_max':
      return {
        kind: 'disMax',
        queries: children(value['queries']),
        tieBreaker: value['tie_breaker'] as number,
        boost,
      };
    case 'constant_score':
      return { kind: 'constantScore', query: child(value['query']), boost };
    case 'boosting':
      return {
        kind: 'boosting',
        positive: child(value['positive']),
        negative: child(value['negative']),
        negativeBoost: value['negative_boost'] as number,
      };
    case 'filtered': {
      const { range } = value['filter'] as { range: { n: { gte: number; lte: number } } };
      return {
        kind: 'filtered',
        query: child(value['query']),
        filter: {
          kind: 'numericRange',
          field: FIELDS.n.id,
          from: range.n.gte,
          to: range.n.lte,
          boost: 1,
        },
        boost: 1,
      };
    }
    case 'nested': {
      const path = value['path'] as string;
      return {
        kind: 'nested',
        path,
        parentPath: level,
        query: treeOf(value['query'] as Body, path),
        scoreMode: value['score_mode'] as 'avg' | 'max' | 'sum' | 'none',
        boost,
      };
    }
    case 'multi_match': {
      const tieBreaker = (value['tie_breaker'] ?? 0) as number;
      const fields = (value['fields'] as string[]).map((name) => name.split('^'));
      const words = (value['query'] as string).split(' ').map((term): Query => ({
        kind: 'blended',
        terms: fields.map(([name, fieldBoost]) => ({
          field: FIELD_IDS[name!]!,
          term,
          boost: Number(fieldBoost),
        })),
        asBool: tieBreaker === 1,
        tieBreaker,
        boost: 1,
      }));
      return allOrAny(words, value['operator'], boost);
    }
    default:
      return fieldQueryOf(kind, value);
  }
}

function fieldQueryOf(kind: string, body: Body): Query {
  const [name, value] = Object.entries(body)[0] as [string, Body];
  const field = FIELD_IDS[name]!;
  const boost = (value['boost'] ?? 1) as number;
  if (kind === 'term') {
    return termOf(field, typeof value === 'string' ? value : (value['value'] as string), boost);
  }
  if (kind === 'prefix') {
    const rewrite = rewriteOf(value['rewrite'] as string);
    return { kind: 'prefix', field, prefix: value['value'] as string, boost, rewrite };
  }
  if (kind === 'fuzzy') {
    return {
      kind: 'fuzzy',
      field,
      term: value['value'] as string,
      maxEdits: value['fuzziness'] as number,
      prefixLength: value['prefix_length'] as number,
      maxExpansions: value['max_expansions'] as number,
      transpositions: false,
      boost,
      rewrite: null,
    };
  }
  const words = (value['query'] as string).split(' ');
  const slots = words.map((term, position) => ({ terms: [term], position }));
  switch (kind) {
    case 'match':
      return allOrAny(
        words.map((term) => termOf(field, term)),
        value['operator'],
        boost,
      );
    case 'match_phrase':
      return { kind: 'phrase', field, slots, slop: value['slop'] as number, boost };
    case 'match_phrase_prefix':
      return {
        kind: 'phrasePrefix',
        field,
        slots: slots.slice(0, -1),
        prefixes: [words.at(-1)!],
        prefixPosition: words.length - 1,
        slop: 0,
        maxExpansions: 50,
        // Its own boost is forgotten, as the parser sees to.
        boost: 1,
      };
    case 'common': {
      const minimum = value['minimum_should_match'] as
        | { low_freq: string; high_freq: string }
        | undefined;
      return {
        kind: 'commonTerms',
        field,
        terms: words,
        cutoff: value['cutoff_frequency'] as number,
        lowOperator: value['low_freq_operator'] as 'and' | 'or',
        highOperator: value['high_freq_operator'] as 'and' | 'or',
        lowMinimum: minimum?.low_freq ?? null,
        highMinimum: minimum?.high_freq ?? null,
        disableCoord: true,
        boost,
      };
    }
    default:
      throw new Error(`unknown kind ${kind}`);
  }
}

interface RecordedDocument {
  readonly t?: string;
  readonly u?: string;
  readonly k?: readonly string[];
  readonly n: number;
  readonly c: readonly { readonly a: string; readonly r: readonly { readonly x: string }[] }[];
}

function objectOf({ t, u, k, n, c }: RecordedDocument): TestObject {
  return {
    values: {
      ...(t === undefined ? {} : { t: [t] }),
      ...(u === undefined ? {} : { u: [u] }),
      ...(k === undefined ? {} : { k }),
      n: [n],
    },
    nested: c.map(({ a, r }) => ({
      values: { a: [a] },
      nested: r.map(({ x }) => ({ values: { r: [x] } })),
    })),
  };
}

describe('recorded scores', () => {
  const [documents, ...cases] = linesOf('recorded-scores.jsonl') as [
    RecordedDocument[][],
    ...{ query: Body; hits: Record<string, number> }[],
  ];
  const readers: SegmentReader[] = [];
  let sequence = 1;
  for (const batch of documents) {
    readers.push(segmentOf(batch.map(objectOf), sequence));
    sequence += batch.length;
  }

  test.each(cases.map((each) => [JSON.stringify(each.query), each] as const))(
    '%s',
    (_name, { query, hits }) => {
      // The reference wraps queries on an index with nested objects in a filter for root documents.
      const whole: Query = {
        kind: 'filtered',
        query: treeOf(query, null),
        filter: { kind: 'matchAll', boost: 1 },
        boost: 1,
      };
      expectScores(scoresOf(whole, readers), hits);
    },
  );
});

describe('recorded sloppy phrases', () => {
  const [documents, ...cases] = linesOf('sloppy-phrases.jsonl') as [
    string[],
    ...{ phrase: string; slop: number; hits: Record<string, number> }[],
  ];
  const reader = segmentOf(documents.map((text) => ({ values: { t: [text] } })));
  const synonyms: Readonly<Record<string, readonly string[]>> = {
    x: ['a', 'b'],
    y: ['b', 'c'],
    z: ['a', 'c'],
  };

  test.each(cases.map((each) => [each.phrase, each.slop, each] as const))(
    '%s within %d',
    (phrase, slop, { hits }) => {
      const slots = phrase
        .split(' ')
        .map((word, position) => ({ terms: synonyms[word] ?? [word], position }));
      const query: Query = { kind: 'phrase', field: FIELDS.t.id, slots, slop, boost: 1 };
      expectScores(scoresOf(query, [reader]), hits);
    },
  );
});
