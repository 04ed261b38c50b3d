// npm run bench: measures a server over HTTP, alone or against a second one; docs/benchmarks.md explains.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress } from '../../common/progress';
import { checkRow } from './check';
import { storeCompletions } from './completions';
import { ensureCorpus, readCorpus } from './corpus';
import { loadFamilies } from './families';
import {
  createIndex,
  deleteIndex,
  loadAndSettle,
  loadCorpus,
  type LoadResult,
  settle,
} from './load';
import { MEASURING_LIMIT, measureRow, WARMUP_LIMIT, type RowResult, type Sample } from './measure';
import { runMixed } from './mixed';
import { parseOptions, USAGE, type BenchOptions } from './options';
import { ratioPlot } from './plot';
import { anonymousMemory } from './process-stats';
import {
  describe,
  familyRatios,
  markdownTable,
  plainTable,
  tablesOf,
  type BenchResult,
  type ServerFacts,
  type Table,
} from './report';
import { OwnServer, Target } from './target';
import { buildVocabulary } from './vocabulary';
import { storeQueries } from './stored-queries';
import type { WorkloadInput, WorkloadKind } from './workload';
import { selectWorkloads } from './workloads';

const INDICES = {
  documents: 'bench-packages',
  writes: 'bench-writes',
  queries: 'bench-queries',
  completions: 'bench-completions',
  families: 'bench-families',
};
/** Loaded and thrown away before loading is measured. */
const LOAD_WARMUP = 15_000;
const WARMUP_STREAM = 1_000_000;
const WARMUP_PASSES = 3;

interface Session {
  readonly options: BenchOptions;
  readonly corpus: string;
  readonly input: WorkloadInput;
  readonly targets: readonly Target[];
  readonly own: OwnServer | null;
}

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(USAGE);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'facetd-bench-corpus-'));
  let own: OwnServer | null = null;
  const targets: Target[] = [];
  try {
    const corpus = options.corpus ?? join(folder, 'corpus.ndjson');
    await ensureCorpus(corpus, options.times);
    const vocabulary = await buildVocabulary(readCorpus(corpus), options.seed);
    const input = { vocabulary, indices: INDICES, seed: options.seed };
    own = options.url === null ? await OwnServer.start(options.settings) : null;
    targets.push(own?.target() ?? new Target('facetd', options.url!, options.pid, null));
    if (options.vsUrl !== null) {
      targets.push(new Target('other', options.vsUrl, options.vsPid, options.vsDisk));
    }
    const session = { options, corpus, input, targets, own };
    if (options.scenario === 'mixed') await mixed(session);
    else await rows(session);
  } finally {
    for (const target of targets) target.close();
    await own?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function mixed({ options, corpus, input, targets, own }: Session): Promise<void> {
  const tables: Table[] = [];
  for (const [at, target] of targets.entries()) {
    const total = await countDocuments(corpus);
    const progress = new Progress(`${target.label}, loading and searching`, total);
    tables.push(
      await runMixed(target, at === 0 ? own : null, input, corpus, (done) => progress.update(done)),
    );
    for (const index of [INDICES.documents, INDICES.writes]) await deleteIndex(target, index);
  }
  for (const table of tables) console.log(`\n${plainTable(table)}`);
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(tables, null, 1)}\n`);
  if (options.markdown !== null) {
    await writeFile(options.markdown, tables.map(markdownTable).join('\n'));
  }
}

async function rows(session: Session): Promise<void> {
  const { options, corpus, input, targets, own } = session;
  const documents = await countDocuments(corpus);
  const loads: (LoadResult | null)[] = [];
  for (const target of targets) {
    loads.push(options.keepIndex ? null : await load(session, target, documents));
    await createIndex(target, input.indices.writes);
    await storeNeeded(session, target);
  }
  await own?.loopDelay();
  const selected = selectWorkloads(options.rows);
  const plain = selected.filter(({ needs }) => needs !== 'families');
  const { measured, skipped } = await measureRows(session, plain);
  const loopDelay = (await own?.loopDelay()) ?? null;
  // Now, because servers put their files in order when nobody writes for a while.
  const disks = await Promise.all(targets.map((target) => target.disk()));
  const servers: ServerFacts[] = targets.map(({ label, pid }, at) => ({
    label,
    load: loads[at] ?? null,
    memory: anonymousMemory(pid),
    disk: disks[at] ?? NaN,
    restartMs: null,
    loopDelayP99: at === 0 ? (loopDelay?.p99 ?? null) : null,
  }));
  // Afterwards, because their index would count in what was measured just now.
  const further = await measureFamilies(
    session,
    selected.filter(({ needs }) => needs === 'families'),
  );
  if (own !== null) {
    targets[0]!.close();
    const body = JSON.stringify({ query: { match_all: {} } });
    const path = `/${input.indices.documents}/_search`;
    const restartMs = await own.restart({ method: 'POST', path, body });
    servers[0] = { ...servers[0]!, restartMs };
  }
  await publish(options, {
    date: new Date().toISOString().slice(0, 10),
    documents,
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`,
    runs: options.runs,
    servers,
    rows: [...measured, ...further.measured],
    skipped: [...skipped, ...further.skipped],
  });
}

/** What the chosen rows need besides the corpus. */
async function storeNeeded({ options, corpus, input }: Session, target: Target): Promise<void> {
  const { indices, vocabulary, seed } = input;
  const needs = new Set(selectWorkloads(options.rows).map((row) => row.needs));
  if (needs.has('queries')) await storeQueries(target, indices.queries, vocabulary, seed);
  if (needs.has('completions')) await storeCompletions(target, indices.completions, corpus);
}

interface Measured {
  readonly measured: RowResult[];
  readonly skipped: { name: string; reason: string }[];
}

/** Loads the index of some rows and measures them; a server of our own is left without it. */
async function measureFamilies(
  session: Session,
  selected: readonly WorkloadKind[],
): Promise<Measured> {
  if (selected.length === 0) return { measured: [], skipped: [] };
  const { options, corpus, input, targets, own } = session;
  const { families } = input.indices;
  for (const target of targets) {
    if (options.keepIndex) continue;
    await loadFamilies(target, families, corpus);
    await settle(target, families, options.segments);
  }
  const found = await measureRows(session, selected);
  if (own !== null) await deleteIndex(targets[0]!, families);
  return found;
}

async function load(
  { options, corpus, input }: Session,
  target: Target,
  documents: number,
): Promise<LoadResult> {
  const { documents: index } = input.indices;
  await createIndex(target, index);
  await loadCorpus(target, index, corpus, LOAD_WARMUP, () => undefined);
  const progress = new Progress(`${target.label}, loading`, documents);
  return loadAndSettle(target, index, corpus, options.segments, (done) => progress.update(done));
}

async function countDocuments(corpus: string): Promise<number> {
  let count = 0;
  for await (const _document of readCorpus(corpus)) count++;
  return count;
}

/** Checks, warms and measures; a row that a server refuses or answers differently is left out and named. */
async function measureRows(session: Session, selected: readonly WorkloadKind[]): Promise<Measured> {
  const { options, input, targets } = session;
  const { connections, runs, requests } = options;
  const kinds: WorkloadKind[] = [];
  const skipped: { name: string; reason: string }[] = [];
  const checking = new Progress('checking', selected.length);
  for (const [at, kind] of selected.entries()) {
    const check = await checkRow(kind, input, targets);
    if (check.kind === 'ok') kinds.push(kind);
    else skipped.push({ name: kind.name, reason: `${check.kind}: ${check.reason}` });
    checking.update(at + 1);
  }
  await warmUp(session, kinds);
  const samples = new Map<string, Sample[][]>();
  const progress = new Progress('measuring', kinds.length * connections.length * runs);
  let done = 0;
  for (let run = 0; run < runs; run++) {
    for (const kind of kinds) {
      for (const count of connections) {
        const stream = run * 1000 + count;
        const row = await measureRow(
          kind,
          input,
          targets,
          count,
          requests,
          stream,
          MEASURING_LIMIT,
        );
        const key = `${kind.name}\n${count}`;
        const collected = samples.get(key) ?? targets.map(() => []);
        row.forEach((sample, target) => collected[target]!.push(sample));
        samples.set(key, collected);
        progress.update(++done);
      }
    }
  }
  const measured = kinds.flatMap((kind) =>
    connections.map((count) => ({
      name: kind.name,
      family: kind.family,
      connections: count,
      samples: samples.get(`${kind.name}\n${count}`) ?? [],
    })),
  );
  return { measured, skipped };
}

/**
 * Sends the rows in turn, several times over: compilers learn from a row what the next one makes them forget,
 * until they have seen all of them.
 */
async function warmUp({ options, input, targets }: Session, kinds: WorkloadKind[]): Promise<void> {
  const requests = Math.ceil(options.warmup / WARMUP_PASSES);
  if (requests === 0) return;
  const limit = WARMUP_LIMIT / WARMUP_PASSES;
  const most = Math.max(...options.connections);
  const progress = new Progress('warming', kinds.length * WARMUP_PASSES);
  let done = 0;
  for (let pass = 0; pass < WARMUP_PASSES; pass++) {
    for (const kind of kinds) {
      await measureRow(kind, input, targets, most, requests, WARMUP_STREAM + pass, limit);
      progress.update(++done);
    }
  }
}

async function publish(options: BenchOptions, result: BenchResult): Promise<void> {
  const tables = tablesOf(result);
  console.log(`\n${describe(result)}\n`);
  for (const table of tables) console.log(plainTable(table));
  if (options.json !== null) await writeFile(options.json, `${JSON.stringify(result, null, 1)}\n`);
  if (options.markdown !== null) {
    await writeFile(
      options.markdown,
      `${describe(result)}\n\n${tables.map(markdownTable).join('\n')}`,
    );
  }
  if (options.svg !== null) {
    const title = 'CPU time per request: how many times less than the other server';
    await writeFile(options.svg, ratioPlot(title, describe(result), familyRatios(result.rows)));
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
