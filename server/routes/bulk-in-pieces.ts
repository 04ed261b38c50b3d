// Bulk requests too long to be held: carried out while they arrive. Those of very many short actions are
// carried out likewise, although they have arrived.
//
// The body is taken in blocks of whole actions, and each block is carried out while the next one arrives:
// never more than two of them are held, whatever the length of the body, and the client sends as fast as its
// actions are carried out. The answer is held until all are, because most clients read it only then. What
// the reference refuses as a whole is found when actions before it have been carried out; the answer has the
// error then, and what became of these.

import { EngineError, Slices, validationFailed, type BulkAction } from '../../engine/index';
import type { ApiRequest, ApiResponse, RestOfBody, RouteContext } from '../request/index';
import {
  ACTION_BYTES,
  ACTIONS_PER_LOOK,
  bulkDefaults,
  checkCount,
  checkNames,
} from './bulk-checks';
import { BulkItems } from './bulk-items';
import { BulkParser, type ParsedAction } from './bulk-parser';
import { assertJsonLines, LINE_FEED } from './json-lines';

/** A block has at least so many bytes, as far as there are more. */
const BLOCK_BYTES = 1024 * 1024;
/** What is carried out at a time ends here; one action may be larger. */
const BATCH = { actions: 8192, bytes: 2 * 1024 * 1024 };
/** A body takes so many times its length while it is carried out: its bytes, and what is made of them. */
const HELD_PER_BYTE = 3;

/** Actions that are carried out together. */
interface Batch {
  readonly actions: readonly BulkAction[];
  /** Bytes of the request's memory that are free when it is carried out. */
  readonly frees: number;
}

/**
 * Carries out a bulk request whose body goes on with `rest`.
 *
 * @throws EngineError what is wrong with it, when nothing was carried out
 */
export async function bulkInPieces(
  request: ApiRequest,
  rest: Pick<RestOfBody, 'next'>,
  context: RouteContext,
): Promise<ApiResponse> {
  const { now } = context;
  const started = now();
  const run = new BulkRun(request, context);
  let failure: EngineError | null = null;
  try {
    for await (const batch of batches(request, rest, context)) await run.next(batch);
    await run.end();
  } catch (error) {
    failure = await run.stop(error);
  }
  const took = `"took":${Math.max(0, Math.round(now() - started))}`;
  if (failure === null) return outcome(200, run.items.answer(took));
  const { status } = failure;
  const error = `${failure.toWireString().replace(/; $/, '')}; the [${run.items.count}] actions of [items] were carried out before, and none behind them (http.stream_bulk_above)`;
  const beginning = `"error":${JSON.stringify(error)},"status":${status},${took}`;
  return outcome(status, run.items.answer(beginning));
}

function outcome(status: number, chunks: readonly Buffer[]): ApiResponse {
  return { kind: 'chunks', status, chunks, isOutcome: true };
}

/** What is carried out of one request. */
class BulkRun {
  readonly items = new BulkItems();
  private readonly written = new Set<string>();
  private readonly isRefreshed: boolean;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly request: ApiRequest,
    private readonly context: RouteContext,
  ) {
    this.isRefreshed = request.params.flag('refresh');
  }

  /** Begins with a batch when the one before is done. @throws what that one threw */
  async next(batch: Batch): Promise<void> {
    await this.running;
    this.running = this.carryOut(batch);
    // Whoever awaits it next is told.
    this.running.catch(() => undefined);
  }

  /** Waits until all is done. @throws what the last batch threw */
  async end(): Promise<void> {
    await this.running;
    if (this.items.count === 0) throw validationFailed('no requests added');
    if (this.isRefreshed) await this.context.engine.refreshWritten(this.written);
  }

  /**
   * Ends what goes on after an error, and makes what was carried out visible where that was asked for.
   *
   * @returns the first error of the request
   * @throws that error when nothing was carried out, or when it is no matter of the request
   */
  async stop(error: unknown): Promise<EngineError> {
    const first = await this.running.then(
      () => error,
      (earlier: unknown) => earlier,
    );
    if (!(first instanceof EngineError) || this.items.count === 0) throw first;
    if (this.isRefreshed) {
      // What else goes wrong is no news.
      await this.context.engine.refreshWritten(this.written).catch(() => undefined);
    }
    return first;
  }

  private async carryOut({ actions, frees }: Batch): Promise<void> {
    const { items, written } = this;
    const { memory } = this.request;
    const held = actions.length * ACTION_BYTES;
    memory?.grow(held);
    const results = actions.length === 0 ? [] : await this.context.engine.bulk(actions, false);
    if (this.isRefreshed) {
      for (const item of results) if (item.kind !== 'error') written.add(item.result.index);
    }
    const before = items.bytes;
    await items.add(actions, results);
    memory?.shrink(frees + held);
    memory?.grow(items.bytes - before);
  }
}

/** The actions of the body in order. @throws EngineError what refuses the request */
async function* batches(
  { body, params, memory }: ApiRequest,
  rest: Pick<RestOfBody, 'next'>,
  { settings }: RouteContext,
): AsyncGenerator<Batch, void> {
  const parser = new BulkParser(bulkDefaults(params));
  const slices = new Slices(ACTIONS_PER_LOOK);
  memory?.grow((HELD_PER_BYTE - 1) * body.length);
  let pieces = [body];
  let size = body.length;
  let isFirst = true;
  let count = 0;
  for (let isLast = false; !isLast;) {
    let hasLine = isFirst && body.includes(LINE_FEED);
    while (size < BLOCK_BYTES || !hasLine) {
      const piece = await rest.next();
      if (piece === null) {
        isLast = true;
        break;
      }
      memory?.grow(HELD_PER_BYTE * piece.length);
      pieces.push(piece);
      size += piece.length;
      hasLine ||= piece.includes(LINE_FEED);
      checkLine(hasLine, size, settings);
    }
    const block = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size);
    if (isFirst) assertJsonLines(block);
    isFirst = false;
    let batch: ParsedAction[] = [];
    let begin = 0;
    for (const action of parser.parse(block)) {
      if (slices.isOver()) await slices.next();
      if (action === null) continue;
      checkCount(++count, settings);
      batch.push(action);
      if (batch.length < BATCH.actions && parser.consumed - begin < BATCH.bytes) continue;
      yield { actions: await checked(batch), frees: 0 };
      batch = [];
      begin = parser.consumed;
    }
    // A copy, so that the block is not held for the sake of its end.
    pieces = [Buffer.from(block.subarray(parser.consumed))];
    size = pieces[0]!.length;
    const frees = HELD_PER_BYTE * parser.consumed;
    yield { actions: batch.length === 0 ? [] : await checked(batch), frees };
  }
}

async function checked(batch: readonly ParsedAction[]): Promise<BulkAction[]> {
  await checkNames(batch);
  return batch.map(({ action }) => action);
}

/** @throws EngineError ContentTooLargeException (413) for a document that would not be taken by itself */
function checkLine(
  isEnded: boolean,
  size: number,
  { maxContentLength }: RouteContext['settings'],
): void {
  if (isEnded || size <= maxContentLength) return;
  throw new EngineError(
    'ContentTooLargeException',
    `line of [${size}] bytes is longer than [${maxContentLength}] (http.max_content_length)`,
  );
}
