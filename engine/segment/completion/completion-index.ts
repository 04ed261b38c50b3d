// The entries of a completion field in one segment, as suggesters see them.

import type { FieldId } from '../../metadata/index';
import type { Bitset } from '../contract/bitset';
import type { CompletionIndex, TermBytes } from '../contract/reader';
import type { BlockTermDictionary } from '../dictionary/term-dictionary';
import type { SegmentFile } from '../format/segment-file';
import { decodeShown, type ShownEntry } from './completion-entry';
import { Heaviest, type WeightTree } from './heaviest';

/** How what is kept is counted. */
const KIND = 'completion';

/** See {@link CompletionIndex}. */
export class StoredCompletions implements CompletionIndex {
  constructor(
    private readonly field: FieldId,
    private readonly file: Pick<SegmentFile, 'segmentId' | 'cache'>,
    private readonly entries: BlockTermDictionary,
    private readonly tree: WeightTree,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  ceiling(bytes: Uint8Array, length: number): number {
    return this.entries.ceilingOfBytes(bytes, length);
  }

  bytesAt(ordinal: number): TermBytes {
    return this.entries.bytesAt(ordinal);
  }

  heaviest(): Heaviest {
    return new Heaviest(this.tree);
  }

  weightOf(ordinal: number): number {
    return this.tree.levels[0]![ordinal]!;
  }

  entryAt(ordinal: number): ShownEntry {
    return decodeShown(this.entries.termAt(ordinal));
  }

  isLive(ordinal: number, liveDocs: Bitset): boolean {
    const postings = this.entries.postings(ordinal, 'docs');
    for (let doc = postings.nextDoc(); doc < liveDocs.size; doc = postings.nextDoc()) {
      if (liveDocs.has(doc)) return true;
    }
    return false;
  }

  kept(name: string): Uint32Array | undefined {
    const { segmentId, cache } = this.file;
    return cache.get<Uint32Array>(segmentId, this.keyOf(name), KIND);
  }

  keep(name: string, ordinals: Uint32Array): void {
    const { segmentId, cache } = this.file;
    const key = this.keyOf(name);
    if (!cache.askedBefore(segmentId, key)) return;
    cache.put(segmentId, key, KIND, ordinals, ordinals.byteLength + 2 * key.length);
  }

  private keyOf(name: string): string {
    return `completed/${this.field}/${name}`;
  }
}
