// What can be wrong with the bytes of a segment although their checksums are right.

/** The bytes of a segment are not what this build can read. */
export class SegmentFormatError extends Error {
  constructor(
    readonly segmentId: number,
    problem: string,
  ) {
    super(`segment ${segmentId} ${problem}`);
    this.name = 'SegmentFormatError';
  }
}
