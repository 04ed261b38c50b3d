// Cutting many records into units of work for the committer of the document log, whose turns stay short.

/** Bytes a record takes beyond its source: keys, ids, uid entry, checksums. */
export const RECORD_OVERHEAD = 160;

/** How much one unit of work takes at most; one record may be larger. */
interface UnitLimits {
  readonly records: number;
  readonly bytes: number;
}

/** The end of the unit that starts at `from`. */
export function unitEnd(
  records: readonly { readonly source: Buffer }[],
  from: number,
  limits: UnitLimits,
): number {
  let bytes = 0;
  let to = from;
  while (to < records.length && to - from < limits.records && bytes < limits.bytes) {
    bytes += records[to]!.source.length;
    to++;
  }
  return to;
}
