// Records of the document log as somebody sees them who may see some of the fields only.

import type { LogRecord } from '../../../storage/index';
import { filterSource, seenMembers } from '../../json/index';
import { allowsField, mayAllowBelow } from '../../metadata/index';
import type { SeenFields } from '../contract/shard-snapshot';

/** A record with what may be seen of its source, and of the metadata that values of the source can be in. */
export function seenRecord(record: LogRecord, fields: SeenFields): LogRecord {
  const { lists, metadata, mapped } = fields;
  const own = mapped.get(record.type) ?? true;
  // Where the mapping hides the source, stored fields are still shown.
  const source = own === false ? record.source : filterSource(record.source, own);
  return {
    ...record,
    source: seenMembers(source, {
      whole: (path) => allowsField(lists, path),
      some: (path) => mayAllowBelow(lists, path),
    }),
    routing: metadata.includes('_routing') ? record.routing : null,
    timestamp: metadata.includes('_timestamp') ? record.timestamp : null,
    expiry: metadata.includes('_ttl') ? record.expiry : null,
  };
}
