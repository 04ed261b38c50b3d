// All kinds of queries and filters by the names requests use. A new kind is one file and one line here.

import { isJsonObject, type JsonValue } from '../../../json/index';
import type { KindParser } from '../scope/parse-scope';
import type { KindBody } from '../scope/members';
import { parseBool, parseBoolFilter } from './bool';
import { parseCommon } from './common';
import { parseBoosting, parseConstantScore, parseDisMax, parseFiltered } from './compound';
import { parseExists, parseMissing } from './exists';
import { parseGeoBoundingBox } from './geo-bounding-box';
import { parseGeoDistance, parseGeoDistanceRange } from './geo-distance';
import { parseGeoPolygon } from './geo-polygon';
import { parseGeoShape, parseGeoShapeFilter } from './geo-shape';
import { parseGeohashCell } from './geohash-cell';
import { parseFuzzyLikeThis, parseFuzzyLikeThisField } from './fuzzy-like-this';
import { parseHasChild, parseHasChildFilter } from './has-child';
import { parseHasParent, parseHasParentFilter } from './has-parent';
import { parseIds, parseIdsFilter, parseTypeFilter } from './ids';
import { parseIndices, parseIndicesFilter } from './indices';
import {
  parseAnd,
  parseFquery,
  parseLimit,
  parseNot,
  parseOr,
  parseQueryFilter,
} from './logical-filters';
import { parseMatch } from './match';
import { parseMatchAll, parseMatchAllFilter } from './match-all';
import { parseMoreLikeThis, parseMoreLikeThisField } from './more-like-this';
import { parseMultiMatch } from './multi-match';
import {
  parseFuzzy,
  parsePrefix,
  parsePrefixFilter,
  parseRegexpFilter,
  parseRegexpQuery,
  parseWildcard,
} from './multi-term';
import { parseNested, parseNestedFilter } from './nested';
import { parseQueryStringQuery } from './query-string';
import { parseNumericRangeFilter, parseRange, parseRangeFilter } from './range';
import { parseFunctionScore } from './function-score';
import { parseScriptFilter } from './script';
import { parseSimpleQueryStringQuery } from './simple-query-string';
import {
  parseFieldMaskingSpan,
  parseSpanFirst,
  parseSpanMulti,
  parseSpanNear,
  parseSpanNot,
  parseSpanOr,
} from './spans';
import { parseSpanTerm } from './span-term';
import { parseTemplateQuery } from './template';
import { parseTerm, parseTermFilter } from './term';
import { parseTerms, parseTermsFilter } from './terms';
import { parseTopChildren } from './top-children';
import { parseWrapper, parseWrapperFilter } from './wrapper';

/** Query context. */
export const QUERIES: ReadonlyMap<string, KindParser> = new Map([
  ['bool', parseBool],
  ['boosting', parseBoosting],
  ['common', parseCommon],
  ['constant_score', parseConstantScore],
  ['constantScore', parseConstantScore],
  ['dis_max', parseDisMax],
  ['disMax', parseDisMax],
  ['field_masking_span', parseFieldMaskingSpan],
  ['fieldMaskingSpan', parseFieldMaskingSpan],
  ['filtered', parseFiltered],
  ['flt', parseFuzzyLikeThis],
  ['flt_field', parseFuzzyLikeThisField],
  ['function_score', parseFunctionScore],
  ['functionScore', parseFunctionScore],
  ['fuzzy', parseFuzzy],
  ['fuzzy_like_this', parseFuzzyLikeThis],
  ['fuzzyLikeThis', parseFuzzyLikeThis],
  ['fuzzy_like_this_field', parseFuzzyLikeThisField],
  ['fuzzyLikeThisField', parseFuzzyLikeThisField],
  ['fuzzy_match', parseMatch],
  ['geo_shape', parseGeoShape],
  ['geoShape', parseGeoShape],
  ['has_child', parseHasChild],
  ['hasChild', parseHasChild],
  ['has_parent', parseHasParent],
  ['hasParent', parseHasParent],
  ['ids', parseIds],
  ['in', parseTerms],
  ['indices', parseIndices],
  ['match', parseMatch],
  ['match_all', parseMatchAll],
  ['matchAll', parseMatchAll],
  ['match_fuzzy', parseMatch],
  ['matchFuzzy', parseMatch],
  ['match_phrase', parseMatch],
  ['matchPhrase', parseMatch],
  ['match_phrase_prefix', parseMatch],
  ['matchPhrasePrefix', parseMatch],
  ['mlt', parseMoreLikeThis],
  ['mlt_field', parseMoreLikeThisField],
  ['more_like_this', parseMoreLikeThis],
  ['moreLikeThis', parseMoreLikeThis],
  ['more_like_this_field', parseMoreLikeThisField],
  ['moreLikeThisField', parseMoreLikeThisField],
  ['multi_match', parseMultiMatch],
  ['multiMatch', parseMultiMatch],
  ['nested', parseNested],
  ['prefix', parsePrefix],
  ['query_string', parseQueryStringQuery],
  ['queryString', parseQueryStringQuery],
  ['range', parseRange],
  ['regexp', parseRegexpQuery],
  ['simple_query_string', parseSimpleQueryStringQuery],
  ['simpleQueryString', parseSimpleQueryStringQuery],
  ['span_first', parseSpanFirst],
  ['spanFirst', parseSpanFirst],
  ['span_multi', parseSpanMulti],
  ['spanMulti', parseSpanMulti],
  ['span_near', parseSpanNear],
  ['spanNear', parseSpanNear],
  ['span_not', parseSpanNot],
  ['spanNot', parseSpanNot],
  ['span_or', parseSpanOr],
  ['spanOr', parseSpanOr],
  ['span_term', parseSpanTerm],
  ['spanTerm', parseSpanTerm],
  ['template', parseTemplateQuery],
  ['term', parseTerm],
  ['terms', parseTerms],
  ['top_children', parseTopChildren],
  ['topChildren', parseTopChildren],
  ['wildcard', parseWildcard],
  ['wrapper', parseWrapper],
]);

/** Filter context. */
export const FILTERS: ReadonlyMap<string, KindParser> = new Map([
  ['and', parseAnd],
  ['bool', parseBoolFilter],
  ['exists', parseExists],
  ['fquery', parseFquery],
  ['geo_bbox', parseGeoBoundingBox],
  ['geoBbox', parseGeoBoundingBox],
  ['geo_bounding_box', parseGeoBoundingBox],
  ['geoBoundingBox', parseGeoBoundingBox],
  ['geo_distance', parseGeoDistance],
  ['geoDistance', parseGeoDistance],
  ['geo_distance_range', parseGeoDistanceRange],
  ['geoDistanceRange', parseGeoDistanceRange],
  ['geo_polygon', parseGeoPolygon],
  ['geoPolygon', parseGeoPolygon],
  ['geo_shape', parseGeoShapeFilter],
  ['geoShape', parseGeoShapeFilter],
  ['geohash_cell', parseGeohashCell],
  ['geohashCell', parseGeohashCell],
  ['has_child', parseHasChildFilter],
  ['hasChild', parseHasChildFilter],
  ['has_parent', parseHasParentFilter],
  ['hasParent', parseHasParentFilter],
  ['ids', parseIdsFilter],
  ['in', parseTermsFilter],
  ['indices', parseIndicesFilter],
  ['limit', parseLimit],
  ['match_all', parseMatchAllFilter],
  ['matchAll', parseMatchAllFilter],
  ['missing', parseMissing],
  ['nested', parseNestedFilter],
  ['not', parseNot],
  ['numeric_range', parseNumericRangeFilter],
  ['numericRange', parseNumericRangeFilter],
  ['or', parseOr],
  ['prefix', parsePrefixFilter],
  ['query', parseQueryFilter],
  ['range', parseRangeFilter],
  ['regexp', parseRegexpFilter],
  ['script', parseScriptFilter],
  ['term', parseTermFilter],
  ['terms', parseTermsFilter],
  ['type', parseTypeFilter],
  ['wrapper', parseWrapperFilter],
]);

/** Filters that the reference keeps where their body does not say: all, or those executed in some way. */
export const KEPT_FILTERS: ReadonlyMap<string, (body: KindBody) => boolean> = new Map<
  string,
  (body: KindBody) => boolean
>([
  ['exists', always],
  ['in', (body) => executionOf(body, 'plain') === 'plain'],
  ['missing', always],
  ['prefix', always],
  ['range', (body) => executionOf(body, 'index') !== 'fielddata'],
  ['regexp', always],
  ['term', always],
  ['terms', (body) => executionOf(body, 'plain') === 'plain'],
]);

function always(): boolean {
  return true;
}

function executionOf(body: KindBody, standard: string): JsonValue {
  return isJsonObject(body) ? (body.get('execution') ?? standard) : standard;
}
