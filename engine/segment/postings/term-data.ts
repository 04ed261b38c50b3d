// Where the postings of a field lie in its segment, and what the data line of a term says of them.

import { MAX_INLINE_DOCS } from '../format/format';
import type { SegmentFile } from '../format/segment-file';

/** Where the postings of a string field lie in the stream, and how they are made. */
export interface PostingsLayout {
  readonly file: SegmentFile;
  readonly postingsOffset: number;
  readonly positionsOffset: number;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
}

/** The data line of one term. */
export class TermData {
  docFreq = 0;
  totalTermFreq = 0;
  /** With docFreq <= 4: documents and frequencies; else the stream offsets below hold. */
  readonly inlineDocs = new Uint32Array(MAX_INLINE_DOCS);
  readonly inlineFreqs = new Uint32Array(MAX_INLINE_DOCS);
  /** Offset in the stream and length of the postings. */
  postings = 0;
  postingsLength = 0;
  positions = 0;
  positionsLength = 0;
}
