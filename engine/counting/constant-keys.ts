// A key that every document has.

import { ColumnKeys } from './bucket-window';

/** Every document has the one bucket. */
export class ConstantKeys extends ColumnKeys {
  size = 0;

  /** @param docCount documents of the segment */
  constructor(docCount: number) {
    super(null, docCount);
  }

  protected assign(n: number): number {
    if (n > 0) this.size = 1;
    return n;
  }
}
