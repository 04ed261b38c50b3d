// Comparing what two sides have of an index.

import { isExpired, type DocumentState } from './document';
import { bucketOf, Fingerprint, stateText, type Compared } from './fingerprint';
import { BrokenScanError } from './scan';

/** Documents that are looked at one by one in a round, of each side. */
const MAX_LISTED = 100_000;
/** A scan that breaks off is begun again so often. */
const MAX_SCANS = 5;

/** A part of a side: lists its documents whenever it is asked to, and says when it begins anew. */
export type Part = () => AsyncIterable<readonly DocumentState[] | 'anew'>;

/** An index on one side. */
export interface Side {
  readonly parts: readonly Part[];
  /** What it knows of each document. */
  readonly compared: Compared;
}

/** In which way a document differs. */
export type DifferenceKind =
  /** The source has it, the target does not. */
  | 'missing'
  /** The target has an earlier version. */
  | 'older'
  /** The target has a later version. */
  | 'newer'
  /** The same version with another parent, timestamp or time to live. */
  | 'other'
  /** Only the target has it. */
  | 'extra';

/** A document that differs: as the source has it, or the target if the source has none. */
export interface Difference {
  readonly kind: DifferenceKind;
  readonly document: DocumentState;
}

/** Both sides of an index. */
export interface Comparison {
  readonly source: Fingerprint;
  readonly target: Fingerprint;
  /** Documents that differ; not all of them if there are very many. */
  readonly differences: readonly Difference[];
  /** Whether more differ than are listed. */
  readonly hasMore: boolean;
}

/**
 * Lists an index on both sides.
 *
 * @throws BrokenScanError; HttpError, UnreachableError
 */
export async function compare(source: Side, target: Side): Promise<Comparison> {
  const compared = {
    times: source.compared.times && target.compared.times,
    versions: source.compared.versions && target.compared.versions,
  };
  const now = Date.now();
  const [left, right] = await Promise.all(
    [source, target].map((side) => fingerprint(side, compared, now)),
  );
  const buckets = left!.differing(right!);
  const listed = new Set<number>();
  let count = 0;
  for (const bucket of buckets) {
    count += Math.max(left!.countOf(bucket), right!.countOf(bucket));
    if (listed.size > 0 && count > MAX_LISTED) break;
    listed.add(bucket);
  }
  return {
    source: left!,
    target: right!,
    differences:
      listed.size === 0 ? [] : await differencesOf(source, target, listed, compared, now),
    hasMore: listed.size < buckets.size,
  };
}

async function fingerprint(side: Side, compared: Compared, now: number): Promise<Fingerprint> {
  const sum = new Fingerprint();
  for (const one of side.parts) {
    const part = await list(
      one,
      now,
      () => new Fingerprint(),
      (into, document) => into.add(document, compared),
    );
    sum.addAll(part);
  }
  return sum;
}

/** Lists a part into something new, which is thrown away when the scan has to begin again. */
async function list<T>(
  part: Part,
  now: number,
  begin: () => T,
  add: (into: T, document: DocumentState) => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let into = begin();
    try {
      for await (const documents of part()) {
        if (documents === 'anew') into = begin();
        else
          for (const document of documents) {
            if (!isExpired(document, now)) add(into, document);
          }
      }
      return into;
    } catch (error) {
      if (!(error instanceof BrokenScanError) || attempt >= MAX_SCANS) throw error;
    }
  }
}

async function differencesOf(
  source: Side,
  target: Side,
  buckets: ReadonlySet<number>,
  compared: Compared,
  now: number,
): Promise<readonly Difference[]> {
  const collect = async (side: Side): Promise<Map<string, DocumentState>> => {
    const found = new Map<string, DocumentState>();
    for (const one of side.parts) {
      const part = await list(
        one,
        now,
        () => new Map<string, DocumentState>(),
        (into, document) => {
          if (buckets.has(bucketOf(document))) into.set(nameOf(document), document);
        },
      );
      for (const [name, document] of part) found.set(name, document);
    }
    return found;
  };
  const [left, right] = [await collect(source), await collect(target)];
  const differences: Difference[] = [];
  for (const [name, document] of left) {
    const kind = kindOf(document, right.get(name), compared);
    if (kind !== null) differences.push({ kind, document });
  }
  for (const [name, document] of right) {
    if (!left.has(name)) differences.push({ kind: 'extra', document });
  }
  return differences;
}

/** Documents of one id and different routings are different documents. */
function nameOf({ type, id, routing }: DocumentState): string {
  return JSON.stringify([type, id, routing]);
}

function kindOf(
  wanted: DocumentState,
  found: DocumentState | undefined,
  compared: Compared,
): DifferenceKind | null {
  if (found === undefined) return 'missing';
  if (compared.versions) {
    const [left, right] = [BigInt(wanted.version ?? 0), BigInt(found.version ?? 0)];
    if (left !== right) return left > right ? 'older' : 'newer';
  }
  return stateText(wanted, compared) === stateText(found, compared) ? null : 'other';
}
