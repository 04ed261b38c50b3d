// Whether a key may see one document, stored or just read from the log: it is tried against what the key is
// confined to as a segment of its own, refreshed or not.

import { EngineError } from '../errors';
import type { IndexMapping } from '../mapping/index';
import { bindFilter, crossesSegments, type Query } from '../query/index';
import { MemorySegments, SegmentBuilder } from '../segment/index';
import type { LogRecord } from '../../storage/index';

/** The one document of a segment. */
const SEQUENCE = 1;

/** Tries documents. */
export class VisibleDocuments {
  private readonly segments = new MemorySegments();

  /**
   * Whether a document matches.
   *
   * @throws EngineError AuthorizationException (403) for a filter that depends on other documents
   */
  matches(record: LogRecord, mapping: IndexMapping, filter: Query): boolean {
    if (crossesSegments(filter)) {
      throw new EngineError(
        'AuthorizationException',
        'the filter of the key depends on other documents: this one is only found by searching',
      );
    }
    const mapper = mapping.documentMapper(record.type);
    if (mapper === null || mapper === undefined) return false;
    const { id, routing, parent, timestamp, expiry, source } = record;
    const builder = new SegmentBuilder();
    builder.beginDocument(SEQUENCE);
    const outcome = mapper.parse(source, { id, routing, parent, timestamp, expiry }, builder);
    if (outcome.error !== null) return false;
    builder.endDocument();
    const root = builder.docCount - 1;
    const opened = this.segments.open(builder.finish(), new Map([[SEQUENCE, record]]));
    const { reader } = opened;
    try {
      return bindFilter(filter, [reader]).matches(reader)?.has(root) === true;
    } finally {
      opened.close();
    }
  }
}
