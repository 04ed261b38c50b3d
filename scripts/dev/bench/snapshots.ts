// npm run bench:snapshots: what does a snapshot cost those who search and write meanwhile, is it whole, and
// how fast is it restored? Ends with exit code 1 when documents are missing or a target is missed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Progress } from '../../common/progress';
import { ensureCorpus, readCorpus } from './corpus';
import { createIndex, loadCorpus, sendOrThrow, settle } from './load';
import { searchWhile } from './mixed';
import { NumberedWrites } from './numbered-writes';
import { figure, type Table } from './report';
import { percentile } from './statistics';
import { OwnServer, type Target } from './target';
import { runBenchmark, type Verdict, type VerdictOptions } from './verdict';
import { buildVocabulary } from './vocabulary';

const USAGE = `usage: npm run bench:snapshots -- [options]

  --corpus FILE      the documents; made when it is not there
  --times N          copies of the package list (1)
  --writers N        connections that write without pause (2)
  --searchers N      connections that search without pause (2)
  --seconds N        searching and writing without a snapshot, before and after it, and with snapshots at least (10)
  --set KEY=VALUE    setting for the server that is started; may be repeated
  --json FILE        everything that was measured
`;

const TARGETS = {
  /** p99 of searches while a snapshot is made, as against without. */
  searchFactor: 2,
  /** Rate of restoring, verified and searchable, as against loading in bulk. */
  restoreShare: 0.5,
};
const INDICES = {
  documents: 'bench-packages',
  writes: 'bench-writes',
  queries: 'bench-queries',
  completions: 'bench-completions',
  families: 'bench-families',
};
const RESTORED = 'bench-restored';
const WARM_UP_MS = 3000;

type Options = VerdictOptions<'times' | 'writers' | 'searchers' | 'seconds', 'corpus'>;

/** Latencies of searches, and writes, of one kind of time. */
interface Load {
  seconds: number;
  written: number;
  readonly searchMs: number[];
}

interface Result {
  readonly loaded: number;
  readonly bulkPerSecond: number;
  readonly without: Load;
  readonly during: Load;
  readonly snapshots: number;
  readonly firstSnapshotSeconds: number;
  readonly restored: number;
  readonly verifySeconds: number;
  readonly restoreSeconds: number;
  readonly problems: readonly string[];
}

async function bench(options: Options): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'facetd-bench-snapshots-'));
  const server = await OwnServer.start([`path.repo=${folder}`, ...options.settings]);
  const target = server.target();
  try {
    const corpus = options.corpus ?? join(folder, 'corpus.ndjson');
    await ensureCorpus(corpus, options.times);
    const result = await measure(target, corpus, options);
    return {
      tables: [tableOf(result)],
      stats: { ...result },
      targets: TARGETS,
      misses: [...result.problems, ...missedTargets(result)],
    };
  } finally {
    target.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(target: Target, corpus: string, options: Options): Promise<Result> {
  let total = 0;
  for await (const _document of readCorpus(corpus)) total++;
  const loading = new Progress('loading', total);
  await createIndex(target, INDICES.documents);
  const { documents: loaded, seconds: loadSeconds } = await loadCorpus(
    target,
    INDICES.documents,
    corpus,
    Infinity,
    (done) => loading.update(done),
  );
  await settle(target, INDICES.documents, null);

  const vocabulary = await buildVocabulary(readCorpus(corpus), 1);
  const input = { vocabulary, indices: INDICES, seed: 1 };
  const without: Load = { seconds: 0, written: 0, searchMs: [] };
  const during: Load = { seconds: 0, written: 0, searchMs: [] };
  let load: Load = { seconds: 0, written: 0, searchMs: [] };
  let isRunning = true;
  const writes = await NumberedWrites.start(target, INDICES.documents, corpus, options.writers);
  const searching = Promise.all(
    Array.from({ length: options.searchers }, (_, searcher) =>
      searchWhile(
        () => isRunning,
        target,
        input,
        searcher,
        (ms) => load.searchMs.push(ms),
      ),
    ),
  );
  searching.catch(() => undefined);
  const observe = async (into: Load, work: () => Promise<void>): Promise<void> => {
    const [started, before] = [performance.now(), sum(writes.acknowledged())];
    load = into;
    await work();
    into.seconds += (performance.now() - started) / 1000;
    into.written += sum(writes.acknowledged()) - before;
  };
  const rest = () => sleep(options.seconds * 1000);

  await sleep(WARM_UP_MS);
  await observe(without, rest);
  const atLeast = writes.acknowledged();
  let snapshots = 0;
  let firstSnapshotSeconds = 0;
  await observe(during, async () => {
    const started = performance.now();
    while (snapshots === 0 || performance.now() - started < options.seconds * 1000) {
      // Each into a repository of its own: there is nothing that it could share.
      snapshots++;
      const body = JSON.stringify({
        type: 'fs',
        settings: { location: `repository-${snapshots}` },
      });
      await sendOrThrow(target, 'PUT', `/_snapshot/r${snapshots}`, body);
      const path = `/_snapshot/r${snapshots}/s?wait_for_completion=true`;
      await sendOrThrow(target, 'PUT', path, '');
      if (snapshots === 1) firstSnapshotSeconds = (performance.now() - started) / 1000;
    }
  });
  await observe(without, rest);
  isRunning = false;
  await Promise.all([searching, writes.stop()]);
  await settle(target, INDICES.documents, null);

  const verifySeconds = await timed(() =>
    sendOrThrow(target, 'POST', '/_snapshot/r1/s/_verify', ''),
  );
  const body = JSON.stringify({ rename_pattern: '.+', rename_replacement: RESTORED });
  const path = '/_snapshot/r1/s/_restore?wait_for_completion=true';
  const restoreSeconds = await timed(() => sendOrThrow(target, 'POST', path, body));
  const answer = await target.send({ method: 'GET', path: `/${RESTORED}/_count`, body: '' });
  return {
    loaded,
    bulkPerSecond: loaded / loadSeconds,
    without,
    during,
    snapshots,
    firstSnapshotSeconds,
    restored: (JSON.parse(answer.body.toString()) as { count: number }).count,
    verifySeconds,
    restoreSeconds,
    problems: await writes.problemsOf(RESTORED, loaded, atLeast),
  };
}

/** Seconds that something took. */
async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function missedTargets(result: Result): string[] {
  const misses: string[] = [];
  const factor = searchFactor(result);
  if (!(factor <= TARGETS.searchFactor)) {
    misses.push(`search p99 grows by ${figure(factor)}, wanted ${TARGETS.searchFactor} or less`);
  }
  const share = restoreShare(result);
  if (!(share >= TARGETS.restoreShare)) {
    misses.push(`restoring has ${figure(share)} of the bulk rate, wanted ${TARGETS.restoreShare}`);
  }
  return misses;
}

function searchFactor({ without, during }: Result): number {
  return percentile(during.searchMs, 0.99) / percentile(without.searchMs, 0.99);
}

function restoreShare({ restored, restoreSeconds, bulkPerSecond }: Result): number {
  return restored / restoreSeconds / bulkPerSecond;
}

function tableOf(result: Result): Table {
  const { loaded, bulkPerSecond, without, during, restored, restoreSeconds } = result;
  const ms = ({ searchMs }: Load, share: number): string => figure(percentile(searchMs, share));
  const rate = ({ seconds }: Load, count: number): string => figure(count / seconds);
  return {
    title: `Snapshots of ${loaded.toLocaleString('en')} documents while writing and searching`,
    head: ['', 'without', 'during', 'target'],
    rows: [
      ['searches', String(without.searchMs.length), String(during.searchMs.length), ''],
      ['search median, ms', ms(without, 0.5), ms(during, 0.5), ''],
      ['search p99, ms', ms(without, 0.99), ms(during, 0.99), `x ${TARGETS.searchFactor}`],
      ['written, docs/s', rate(without, without.written), rate(during, during.written), ''],
      ['snapshots', '', String(result.snapshots), ''],
      ['the first, s', '', figure(result.firstSnapshotSeconds), ''],
      ['loading in bulk, docs/s', figure(bulkPerSecond), '', ''],
      ['restored documents', restored.toLocaleString('en'), '', ''],
      ['verifying, s', figure(result.verifySeconds), '', ''],
      ['restoring, s', figure(restoreSeconds), '', ''],
      [
        'restoring, docs/s',
        figure(restored / restoreSeconds),
        '',
        figure(bulkPerSecond * TARGETS.restoreShare),
      ],
      ['missing or with gaps', String(result.problems.length), '', 'none'],
    ],
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

runBenchmark({
  usage: USAGE,
  numbers: { times: [1, 1], writers: [2, 1], searchers: [2, 1], seconds: [10, 1] },
  texts: ['corpus'],
  measure: bench,
});
