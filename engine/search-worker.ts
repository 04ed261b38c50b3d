// Entry point of a search worker: runs whole searches, or phases of searches that several workers share.

import { openLogReader, openSegmentReader } from '../storage/index';
import { ByteCache, RenderedHits } from './common/index';
import { warmUnpack } from './segment/index';
import {
  InlineExecutor,
  type SearchControl,
  buffersToMove,
  decodeJobs,
  decodeSearch,
  packSearch,
  packTexts,
  type PackedFetch,
  type SearchWorkerOptions,
  KnownSnapshots,
} from './search/index';
import {
  serveMain,
  threadOptions,
  Transferred,
  type ThreadRequest,
  type ForgetNotice,
} from './threads/index';

async function main(): Promise<void> {
  const { location, cacheBytes, renderedHits, place, warmsUp } =
    threadOptions<SearchWorkerOptions>();
  const log = await openLogReader(location);
  const segments = await openSegmentReader(location);
  if (warmsUp) warmUnpack();
  const executor = new InlineExecutor(
    segments,
    log,
    new ByteCache(cacheBytes),
    new RenderedHits(renderedHits, place),
  );
  const snapshots = new KnownSnapshots();
  serveMain({
    serve: (kind, payload, request) => serve(executor, snapshots, kind, payload, request),
    notice: (_kind, payload) => {
      const { segments: gone, shards } = payload as ForgetNotice;
      snapshots.forget(shards);
      executor.forget(gone);
    },
    close: async () => {
      await executor.close();
      await segments.close();
      await log.close();
    },
  });
}

/** Reads the payload before anything is awaited: snapshots depend on the order of messages. */
async function serve(
  executor: InlineExecutor,
  snapshots: KnownSnapshots,
  kind: string,
  payload: unknown,
  request: ThreadRequest,
): Promise<unknown> {
  const control: SearchControl = {
    isCancelled: () => {
      request.touch();
      return request.isCancelled();
    },
  };
  switch (kind) {
    case 'search': {
      const outcome = await executor.run(decodeSearch(payload, snapshots), control);
      const [answer, moved] = packSearch(outcome);
      return new Transferred(answer, moved);
    }
    case 'prepare':
      return executor.phases(control).prepare(decodeJobs<'prepare'>(payload, snapshots));
    case 'collect':
      return executor.phases(control).collect(decodeJobs<'collect'>(payload, snapshots));
    case 'rescore':
      return executor.phases(control).rescore(decodeJobs<'rescore'>(payload, snapshots));
    case 'suggest':
      return executor.phases(control).suggest(decodeJobs<'suggest'>(payload, snapshots));
    case 'fetch': {
      const outcomes = await executor
        .phases(control)
        .fetch(decodeJobs<'fetch'>(payload, snapshots));
      const answer: PackedFetch = outcomes.map((outcome) =>
        outcome.ok
          ? { ...outcome, value: { ...outcome.value, texts: packTexts(outcome.value.texts) } }
          : outcome,
      );
      const packed = answer.flatMap((outcome) => (outcome.ok ? [outcome.value.texts] : []));
      return new Transferred(answer, buffersToMove(packed));
    }
    case 'caches':
      return executor.caches();
    case 'cacheStatsByKind':
      return executor.cacheStatsByKind();
    default:
      throw new TypeError(`no request ${kind}`);
  }
}

void main();
