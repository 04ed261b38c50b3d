// The distinct points of documents, by their exact coordinates. OpenSearch keeps latitudes and longitudes of
// a document each in a list of its own, so that they belong together only where there is one of each.

import type { JsonObject, JsonOutput } from '../../json/index';
import type { FieldId } from '../../metadata/index';
import { latitudeField, longitudeField, within } from '../layout/names';
import { unsupported } from '../layout/unsupported';
import {
  bucketsOf,
  docCount,
  doubleAt,
  doubleOf,
  partOf,
  MOST_BUCKETS,
} from '../transport/answers';
import { type Aggs, type CountContext, requireWhole } from './count-context';

const POINTS = 'points';
const LATITUDES = 'latitudes';
const LOCATED = 'located';

/** A point with the documents that have it. */
export interface PointBucket {
  readonly latitude: number;
  readonly longitude: number;
  readonly docs: number;
  readonly bucket: JsonObject;
}

/** Asks for the points of a field. @param below is counted of the documents of each */
export function pointsRequest(context: CountContext, field: FieldId, below: Aggs): Aggs {
  const latitude = within(context.path, latitudeField(field));
  const longitude = within(context.path, longitudeField(field));
  const terms: JsonOutput = [{ field: latitude }, { field: longitude }];
  return {
    [POINTS]: {
      multi_terms: { size: MOST_BUCKETS, terms },
      ...(Object.keys(below).length === 0 ? {} : { aggs: below }),
    },
    [LATITUDES]: { value_count: { field: latitude } },
    [LOCATED]: { filter: { exists: { field: latitude } } },
  };
}

/**
 * The points of an answer.
 *
 * @param what counts them, for the message
 * @throws EngineError ElasticsearchIllegalArgumentException where a document has several points, or there are
 *   too many
 */
export function pointsOf(answer: JsonObject | null, what: string): readonly PointBucket[] {
  const located = docCount(partOf(answer, LOCATED));
  if (doubleAt(partOf(answer, LATITUDES), 'value', 0) > located)
    throw unsupported(`${what} over documents with several points`, 'points are not kept together');
  const points = partOf(answer, POINTS);
  requireWhole(points, what);
  return bucketsOf(points).map((bucket) => {
    const key = bucket.get('key');
    const [latitude = null, longitude = null] = Array.isArray(key) ? key : [];
    return {
      latitude: doubleOf(latitude),
      longitude: doubleOf(longitude),
      docs: docCount(bucket),
      bucket,
    };
  });
}
