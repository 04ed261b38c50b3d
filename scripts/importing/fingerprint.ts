// What two sides have, compared in bounded memory: documents fall into buckets by their id, and of each
// bucket there are a count and a sum of hashes. Sums do not depend on an order: nothing has to be sorted.

import { createHash } from 'node:crypto';
import type { DocumentState } from './document';

const BUCKETS = 4096;

/** Which parts of a document's state are compared. */
export interface Compared {
  /** False where one of the sides does not tell exact times. */
  readonly times: boolean;
  /** False where one of the sides keeps none. */
  readonly versions: boolean;
}

/** Counts and sums of all documents of an index on one side. */
export class Fingerprint {
  count = 0;
  private readonly counts = new Uint32Array(BUCKETS);
  private readonly sums = new BigUint64Array(BUCKETS);

  /** Adds a document. */
  add(document: DocumentState, compared: Compared): void {
    const bucket = bucketOf(document);
    this.count++;
    this.counts[bucket]!++;
    // Wraps around.
    this.sums[bucket]! += digest(stateText(document, compared)).readBigUInt64LE(8);
  }

  /** Adds all documents of another one. */
  addAll(other: Fingerprint): void {
    this.count += other.count;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.counts[bucket]! += other.counts[bucket]!;
      this.sums[bucket]! += other.sums[bucket]!;
    }
  }

  /** Buckets in which two sides differ. */
  differing(other: Fingerprint): Set<number> {
    const found = new Set<number>();
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (
        this.counts[bucket] !== other.counts[bucket] ||
        this.sums[bucket] !== other.sums[bucket]
      ) {
        found.add(bucket);
      }
    }
    return found;
  }

  /** How many documents are in some buckets. */
  countOf(bucket: number): number {
    return this.counts[bucket]!;
  }

  /** A checksum over ids and versions of all documents. */
  checksum(): string {
    return createHash('sha256').update(this.counts).update(this.sums).digest('hex').slice(0, 32);
  }
}

/** The bucket of a document, by type and id. */
export function bucketOf({ type, id }: DocumentState): number {
  return digest(`${type}\0${id}`).readUInt16LE(0) % BUCKETS;
}

/** Everything about a document that is compared, as a text. */
export function stateText(document: DocumentState, { times, versions }: Compared): string {
  const { type, id, version, routing, parent, timestamp, expires } = document;
  const parts = [
    ...[type, id, routing, parent],
    ...(versions ? [version] : []),
    ...(times ? [timestamp, expires] : []),
  ];
  return JSON.stringify(parts);
}

function digest(text: string): Buffer {
  return createHash('sha1').update(text).digest();
}
