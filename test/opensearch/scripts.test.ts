// Scripts by OpenSearch beside facetd's own evaluation of them: random scripts on random documents, as sort
// keys, filters, score functions and numbers that are counted.
//
// OPENSEARCH_URL says where the server is. TEST_SEED says which documents are the first.

import { parseJsonObject } from '../../engine/json/parse';
import type { SearchOutcome } from '../../engine/search/plan/executor';
import { EngineFolder, indexRequest, OPEN_INDICES, searchFor } from '../support/engine';
import { onlyWhere } from '../support/only-where';
import { Random, rounds, testSeed } from '../support/random';
import { Counted } from './counted';
import {
  randomFormula,
  randomNumber,
  randomScript,
  randomText,
  randomTruth,
  SCRIPT_MAPPING,
  SCRIPT_PARAMS,
  scriptedDocument,
} from './random-scripts';

const url = process.env['OPENSEARCH_URL'] ?? '';

function script(random: Random, make: (depth: number) => string): object {
  const source = (): string => make(1 + random.below(3));
  if (random.chance(0.15)) {
    return { script: randomFormula(random, 3), lang: 'expression', params: { p: 3 } };
  }
  const lang = random.pick(['groovy', 'groovy', 'mvel']);
  return { script: randomScript(random, source), lang, params: SCRIPT_PARAMS };
}

/** What a script may be used for. */
const USES: readonly ((random: Random) => object)[] = [
  (random) => ({
    query: QUERY,
    sort: {
      _script: {
        ...script(random, (depth) => randomNumber(random, depth)),
        type: 'number',
        order: random.pick(['asc', 'desc']),
      },
    },
  }),
  (random) => ({
    query: QUERY,
    sort: {
      _script: { ...script(random, (depth) => randomText(random, depth)), type: 'string' },
    },
  }),
  (random) => ({
    query: QUERY,
    sort: {
      _script: { ...script(random, (depth) => randomNumber(random, depth)), type: 'string' },
    },
  }),
  (random) => ({
    query: {
      filtered: { filter: { script: script(random, (depth) => randomTruth(random, depth)) } },
    },
  }),
  (random) => ({
    query: {
      function_score: {
        query: QUERY,
        boost_mode: random.pick(['sum', 'replace', 'multiply']),
        functions: [
          { script_score: { script: `abs(${randomNumber(random, 2)})`, params: SCRIPT_PARAMS } },
        ],
      },
    },
  }),
  (random) => {
    const source = randomNumber(random, 1 + random.below(2));
    const rest = { lang: random.pick(['groovy', 'mvel']), params: SCRIPT_PARAMS };
    const value = { value_script: source, ...rest };
    return { query: QUERY, ...random.pick(COUNTS)({ script: source, ...rest }, value) };
  },
];

/** What counts numbers by scripts. */
const COUNTS: readonly ((numbers: object, value: object) => object)[] = [
  (numbers) => ({ facets: { f: { statistical: numbers } } }),
  (_, value) => ({ facets: { f: { terms_stats: { key_field: 'tag', size: 0, ...value } } } }),
  (numbers) => ({ aggregations: { a: { stats: numbers } } }),
  (numbers) => ({
    aggregations: { a: { terms: { field: 'tag' }, aggregations: { b: { max: numbers } } } },
  }),
];

/** Scores that 32 bits hold exactly: scripts make integers of them. */
const QUERY = {
  function_score: {
    query: { match_all: {} },
    functions: [{ weight: 1.625 }, { filter: { term: { tag: 'a' } }, weight: 2 }],
  },
};

interface Shown {
  readonly total: number;
  readonly counted: readonly unknown[];
  readonly hits: Readonly<Record<string, unknown>>;
}

/** Hits by id; of failures the names: which document fails first is up to each. */
function shown({ total, hits, failures, facets, aggregations }: SearchOutcome): Shown | string {
  const [failure] = failures;
  if (failure !== undefined) return failure.reason;
  const bodies = hits.map((bytes) => JSON.parse(Buffer.from(bytes).toString()) as Hit);
  const counts = (facets ?? aggregations ?? new Map<string, unknown>()).values();
  const counted = Array.from(counts, (each) => JSON.parse(String(each)) as unknown);
  return {
    total,
    counted,
    hits: Object.fromEntries(bodies.map(({ _id, ...rest }) => [_id, rest])),
  };
}

interface Hit {
  readonly _id: string;
}

function hasNaN(found: Shown | string): boolean {
  return typeof found !== 'string' && JSON.stringify(found.counted).includes('NaN');
}

function namesOf(failure: string): string {
  return /^[A-Za-z]+(?:\[[A-Za-z]+(?=\[))?/.exec(failure)?.[0] ?? failure;
}

/** Compares with room for what 32 bits and the functions of Java round differently. */
function difference(ours: unknown, theirs: unknown, place: string): string | null {
  if (typeof ours === 'number' && typeof theirs === 'number') {
    const room = 3e-6 * Math.max(1e-3, Math.abs(theirs));
    return Math.abs(ours - theirs) <= room ? null : `${place}: ${ours} for ${theirs}`;
  }
  if (typeof ours === 'string' && typeof theirs === 'string' && rounded(ours) === rounded(theirs)) {
    return null;
  }
  if (typeof ours === 'object' && typeof theirs === 'object' && ours && theirs) {
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    for (const name of names) {
      const found = difference(
        (ours as Record<string, unknown>)[name],
        (theirs as Record<string, unknown>)[name],
        `${place}.${name}`,
      );
      if (found !== null) return found;
    }
    return null;
  }
  return ours === theirs ? null : `${place}: ${String(ours)} for ${String(theirs)}`;
}

/** A text with its fractions to nine digits. */
function rounded(text: string): string {
  return text.replaceAll(/\d+\.\d+(?:E-?\d+)?/g, (number) => Number(number).toPrecision(9));
}

/** What OpenSearch says that it cannot do, by name. */
const REFUSED = /not supported by the OpenSearch backend/;
/** It has compiled a great many scripts, and has not let go of them yet. */
const IS_FULL = /CircuitBreakingException/;
/** What scores of OpenSearch may not be. */
const NO_SCORE =
  /script_score script returned an invalid score|must be non-negative|non-negative|NaN/;

onlyWhere(url !== '', 'OPENSEARCH_URL')(
  'scripts give what they give in the embedded engine',
  async () => {
    const folder = await EngineFolder.create();
    const random = new Random(testSeed(1));
    const wrong: string[] = [];
    let refused = 0;
    let compared = 0;
    let counted = 0;
    try {
      const engine = await folder.open();
      const searched = await Counted.open(engine, url);
      const settings = { number_of_shards: 1, refresh_interval: '-1' };
      const body = parseJsonObject(
        JSON.stringify({ settings, mappings: { thing: SCRIPT_MAPPING } }),
      );
      await engine.admin.createIndex('scripts', body);
      await searched.create('scripts');
      const documents = Array.from({ length: 40 }, (_, i) => ({
        type: 'thing',
        id: String(i),
        source: JSON.stringify(scriptedDocument(random)),
      }));
      await engine.bulk(
        documents.map(({ type, id, source }) => {
          return { kind: 'index', request: indexRequest('scripts', type, id, source) } as const;
        }),
        false,
      );
      await engine.maintenance.refresh([], OPEN_INDICES);
      await searched.write('scripts', documents);
      for (let i = 0; i < rounds(150, 3000); i++) {
        const request = { size: 40, _source: false, ...random.pick(USES)(random) };
        // What does not compile is refused before anything runs.
        const isParsed = await searchFor(engine, 'scripts', request).then(
          () => true,
          (error: unknown) => !/CompilationException/.test(String(error)),
        );
        if (!isParsed) continue;
        const remote = shown(await searched.searchAgain());
        const embedded = shown(await searched.embedded());
        if (typeof remote === 'string' && IS_FULL.test(remote)) continue;
        if (typeof remote === 'string' && (REFUSED.test(remote) || NO_SCORE.test(remote))) {
          refused++;
          continue;
        }
        // Extremes of NaN are its own there, and so is the deviation of what is all but equal.
        if ([remote, embedded].some(hasNaN)) continue;
        compared++;
        if (typeof remote !== 'string' && remote.counted.length > 0 && searched.requests === 1)
          counted++;
        const names = (each: Shown | string) => (typeof each === 'string' ? each : 'hits');
        const found =
          typeof remote === 'string' && typeof embedded === 'string'
            ? difference(namesOf(remote), namesOf(embedded), '')
            : typeof remote === 'string' || typeof embedded === 'string'
              ? `${names(remote)} for ${names(embedded)}`
              : difference(remote, embedded, '');
        if (found !== null)
          wrong.push(`${JSON.stringify({ ...request, size: 0 })}\n${found.slice(0, 900)}`);
      }
      await searched.remove('scripts');
      await searched.client.close();
    } finally {
      await folder.remove();
    }
    expect(wrong.join('\n\n')).toBe('');
    expect(refused).toBeLessThan(compared / 4);
    // The others were counted by facetd.
    expect(counted).toBeGreaterThan(compared / 40);
  },
);
