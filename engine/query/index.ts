// Queries and filters: parsing them, and matching and scoring the documents of a segment.

export { boolQuery } from './ast/bool-query';
export { multiplyBoost } from './ast/boost';
export { canonicalKey, canonicalText } from './ast/canonical';
export { children, mapChildren, scoredChildren, unscoredChildren } from './ast/children';
export { describeFilter, ROOTS_TEXT } from './ast/describe';
export { type Explainer, explainQuery } from './explain';
export { crossesSegments, hasConstantScore, isSegmentLocal, readsOf } from './ast/facts';
export {
  MATCH_ALL,
  type PhraseSlot,
  type Query,
  type SpanTree,
  type TermsQuery,
  UNMAPPED_FIELD,
} from './ast/query';
export type { Modifier, ScoreFunction, WeightedFunction } from './ast/score-function';
export { anyTermOf } from './ast/simplify';
export {
  allSpanTerms,
  fieldOfSpans,
  hasSpanTerms,
  spanParts,
  type SpanTerm,
  spanTerms,
  unmasked,
} from './ast/spans';
export type { QueryOf } from './ast/traits';
export { withoutNamed } from './ast/without-named';
export { FuzzyMatcher } from './automaton/levenshtein';
export { parseRegexp, type RegexpNode } from './automaton/regexp-parser';
export { forEachTerm, prefixRange } from './automaton/term-matcher';
export { bindFilter, bindLocally, bindPart, bindQuery } from './bind';
export { docFreqOf } from './expand/expand-frequencies';
export { ListedTerms, listedSegment } from './expand/listed-terms';
export {
  type ExpandedMark,
  expandMark,
  expandSpanMark,
  markedTerms,
  type TermsMark,
} from './marks/expand-marks';
export { type Mark, type MarkReach, type MarkVisitor, visitMarks } from './marks/marks';
export { textSegment } from './marks/text-terms';
export { hasNames, matchedNames, type MatchedNames } from './named';
export { parseFilter } from './parse/parse';
export { ElementFailure } from './parse/scope/element-failure';
export { Fuzziness } from './parse/scope/fuzziness';
export { booleanOf, misplaced, refuseSecondMember, tokenName } from './parse/scope/members';
export type {
  InnerHitsRequest,
  InnerHitsTarget,
  QueryParseContext,
} from './parse/scope/parse-context';
export { type ParseServices, SearchContext } from './parse/search-context';
export type { StoredQuery } from './parse/stored-query';
export { type Explanation, factor } from './scoring/explanation';
export { queryNorm } from './scoring/similarity';
export type { SearchStatistics, TermCounts, Weight } from './scoring/weight';
export { openSpans } from './spans/open-spans';
export type { Spans } from './spans/spans';
export { mergeStatistics, type PreparedQuery, prepareQuery, StatisticsSum } from './statistics';
export { reducedScale } from './weights/score-functions';
export { scoringOfSpans, spanFigures, type SpanFigures } from './weights/spans';
export { scoringOfTerms } from './weights/term';
