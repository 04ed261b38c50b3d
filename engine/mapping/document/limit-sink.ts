// The sink of a large document that is only checked: nothing is kept, and what analysis would make of its
// texts must not be too much. What is acknowledged has to be indexed, at every start if need be.

import type { Analyzer } from '../../analysis/index';
import { DocumentError } from '../types/field-mapper';
import { DroppingSink } from '../fields/dropping-sink';
import type { IndexedField } from '../fields/field-sink';

/** What one document may have and become. */
export interface DocumentLimit {
  /** Bytes that analysis may make of it: `index.max_analyzed_size`. */
  readonly maxBytes: number;
  /** Documents of up to so many bytes stay below it, whatever they say; -1: none do. */
  readonly safeLength: number;
  /** Points of its shapes: `index.max_shape_points`. */
  readonly maxShapePoints: number;
}

/** Drops the values of one document; of its texts, only what analysis makes of them is counted. */
export class LimitSink extends DroppingSink {
  readonly isChecking = true;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  /** @throws DocumentError when the text cannot be analyzed, or would become too large */
  override text({ name, analyzer }: IndexedField, value: string): void {
    if (analyzer === null) return;
    assertUsable(analyzer);
    this.bytes += analyzer.sizeOf?.(value, this.maxBytes - this.bytes) ?? 0;
    if (this.bytes <= this.maxBytes) return;
    throw new DocumentError(
      'ElasticsearchIllegalArgumentException',
      `field [${name}] would become more tokens than [index.max_analyzed_size] allows: ${this.maxBytes} bytes`,
    );
  }
}

function assertUsable({ fault }: Analyzer): void {
  if (fault === undefined || fault === null || fault.isHarmless === true) return;
  const { wireName, message, cause } = fault.error;
  throw new DocumentError(wireName, message, { cause });
}
