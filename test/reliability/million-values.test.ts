// A million distinct values in a field: counted exactly by every facet type that has an entry for each, or
// refused with a clear error where there would be too many entries or the memory of the node does not
// suffice. The server stays up and answers other requests. With MILLION=1 or LONG=1 only: it takes half a
// minute of CPU. It prints what it measured.

import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onlyWhere } from '../support/only-where';
import { Random, repetitions, testSeed } from '../support/random';
import { freePort, ServerProcess } from '../support/server-process';

const DOCUMENTS = 500;
const OWN = 2000;
/** Distinct values; as many as a response may have entries. */
const VALUES = DOCUMENTS * OWN;
const OTHERS = 400;
const SHOWN = 1000;

interface Facet {
  readonly missing?: number;
  readonly total?: number;
  readonly other?: number;
  readonly cardinality?: number;
  readonly terms: readonly { readonly term: number | string; readonly count: number }[];
  readonly entries: readonly { readonly key: number; readonly count: number }[];
}

/** Documents of values of their own and of others', and how many documents each value is in. */
class Corpus {
  readonly counts = new Uint32Array(VALUES);
  readonly bulks: string[] = [];
  total = 0;

  constructor(random: Random) {
    let lines: string[] = [];
    for (let d = 0; d < DOCUMENTS; d++) {
      const values = new Set<number>();
      for (let i = 0; i < OWN; i++) values.add(d * OWN + i);
      // Small ones more often, so that there is an order.
      for (let i = 0; i < OTHERS; i++) values.add(Math.floor(VALUES * random.next() ** 4));
      for (const value of values) this.counts[value]!++;
      this.total += values.size;
      const n = [...values];
      lines.push('{"index":{}}', JSON.stringify({ d, n, s: n.map(termOf) }));
      if (lines.length === 100) {
        this.bulks.push(`${lines.join('\n')}\n`);
        lines = [];
      }
    }
  }

  /** Values by descending count, equal ones by `compare` descending. */
  top(compare: (a: number, b: number) => number): number[] {
    const { counts } = this;
    const values = Array.from(counts.keys());
    return values.sort((a, b) => counts[b]! - counts[a]! || compare(b, a)).slice(0, SHOWN);
  }
}

const termOf = (value: number): string => `v${value}`;

function compareText(a: number, b: number): number {
  return termOf(a) < termOf(b) ? -1 : 1;
}

async function anonymousMb(): Promise<number> {
  const status = await readFile(`/proc/${server!.pid}/status`, 'utf8');
  return Math.round(Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024);
}

/** What was measured, to be printed. */
const figures: string[] = [];

let folder: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-million-'));
});

afterAll(async () => {
  await server?.kill();
  await rm(folder, { recursive: true, force: true });
});

async function start(memory: string): Promise<ServerProcess> {
  await server?.stop();
  server = await ServerProcess.start(join(folder, 'data'), await freePort(), [
    `node.memory=${memory}`,
    'index.number_of_shards=2',
    'node.workers=1',
  ]);
  return server;
}

async function ok(method: string, path: string, body?: string | object): Promise<unknown> {
  const answer = await server!.send(method, path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function facet(definition: object): Promise<Facet> {
  const body = { facets: { f: definition } };
  const begin = performance.now();
  const { facets, _shards } = (await ok('POST', '/i/_search?search_type=count', body)) as {
    facets: { f: Facet };
    _shards: { failed: number };
  };
  expect(_shards.failed).toBe(0);
  figures.push(`${Math.round(performance.now() - begin)} ms: ${JSON.stringify(definition)}`);
  return facets.f;
}

/** Status and the error that matters. */
async function refusal(definition: object): Promise<string> {
  const { status, body } = await server!.send('POST', '/i/_search?search_type=count', {
    facets: { f: definition },
  });
  const { error } = body as { error?: string };
  const reason = /nested: (\w+\[.*?)(;|$)/.exec(error ?? '')?.[1] ?? error ?? '';
  return `${status} ${reason}`;
}

const NARROW = { facet_filter: { range: { d: { lt: DOCUMENTS } } } };

onlyWhere(repetitions('MILLION', 0, 1) === 1, 'MILLION=1: half a minute of CPU')(
  'a million distinct values are counted exactly, or refused',
  async () => {
    const corpus = new Corpus(new Random(testSeed(5)));
    await start('512mb');
    const value = { type: 'string', index: 'not_analyzed' };
    const mappings = { t: { properties: { s: value, n: { type: 'integer' } } } };
    await ok('PUT', '/i', { mappings });
    const begin = performance.now();
    for (const bulk of corpus.bulks) await ok('POST', '/i/t/_bulk', bulk);
    await ok('POST', '/i/_refresh');
    figures.push(`${Math.round(performance.now() - begin)} ms: loading`);
    const { counts, total } = corpus;

    const numbers = corpus.top((a, b) => a - b);
    const texts = corpus.top(compareText);
    const shownNumbers = numbers.map((term) => ({ term, count: counts[term]! }));
    const shownTexts = texts.map((term) => ({ term: termOf(term), count: counts[term]! }));
    const sumOf = (shown: readonly number[]) => shown.reduce((sum, term) => sum + counts[term]!, 0);
    for (const scope of [{}, NARROW]) {
      const asked = { size: SHOWN, cardinality: true };
      const all = { missing: 0, total, cardinality: VALUES };
      expect(await facet({ terms: { field: 'n', ...asked }, ...scope })).toMatchObject({
        ...all,
        other: total - sumOf(numbers),
        terms: shownNumbers,
      });
      expect(await facet({ terms: { field: 's', ...asked }, ...scope })).toMatchObject({
        ...all,
        other: total - sumOf(texts),
        terms: shownTexts,
      });
    }
    const stats = { value_field: 'd', size: SHOWN };
    expect(await facet({ terms_stats: { key_field: 's', ...stats } })).toMatchObject({
      terms: shownTexts,
    });
    expect(await facet({ terms_stats: { key_field: 'n', ...stats } })).toMatchObject({
      missing: 0,
      terms: shownNumbers,
    });
    // As many entries as a response may have.
    const { entries } = await facet({ histogram: { field: 'n', interval: 1 } });
    expect(entries).toHaveLength(VALUES);
    expect(entries.every(({ key, count }, i) => key === i && count === counts[i])).toBe(true);
    const every = await facet({ terms: { field: 'n', size: VALUES, order: 'term' } });
    expect(every.terms.every(({ term, count }, i) => term === i && count === counts[i])).toBe(true);
    expect(every).toMatchObject({ other: 0, terms: { length: VALUES } });
    figures.push(`RssAnon with 512 MB for caches and requests: ${await anonymousMb()} MB`);

    // One entry more than that.
    await ok('POST', '/i/t/_bulk?refresh=true', `{"index":{}}\n{"n":${VALUES}}\n`);
    const tooMany =
      '400 FacetPhaseExecutionException[Facet [f]: would return more than [1000000] entries]';
    expect(await refusal({ histogram: { field: 'n', interval: 1 } })).toBe(tooMany);
    expect(await refusal({ terms: { field: 'n', size: VALUES + 1 } })).toBe(tooMany);

    await start('16mb');
    for (const definition of [
      { terms: { field: 'n', size: SHOWN }, ...NARROW },
      { terms: { field: 's', size: SHOWN }, ...NARROW },
      { terms_stats: { key_field: 's', value_field: 'd' } },
      { terms_stats: { key_field: 'n', value_field: 'd' } },
      { histogram: { field: 'n', interval: 1, value_field: 'd' } },
    ])
      expect([definition, await refusal(definition)]).toEqual([
        definition,
        expect.stringMatching(/^500 CircuitBreakingException\[\[REQUEST\] Data too large/),
      ]);
    expect(await facet({ statistical: { field: 'd' } })).toMatchObject({ count: DOCUMENTS });
    figures.push(`RssAnon with 16 MB: ${await anonymousMb()} MB`);
    expect(await server!.stop()).toBe(0);
    console.log(figures.join('\n'));
  },
);
