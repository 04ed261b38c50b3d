// From text to terms: analyzers made of character filters, a tokenizer and token filters.

export { type AnalysisSource, analysisSource, registryOf } from './analysis-source';
export { analyzeText } from './analyze-text';
export { KEYWORD_ANALYZER } from './builtin';
export type { Analyzer, OffsetVisitor, Token } from './chain/analyzer';
export {
  classNameOf,
  classNotFound,
  type ComponentSettings,
  settingGroups,
} from './chain/component-settings';
export { SizeBudget, type TokenBudget } from './chain/token-budget';
export { safeLength } from './safe-length';
export type { AsciiWords } from './chain/ascii-words';
export { compilePattern } from './regex/pattern';
export { Replacement } from './regex/replacement';
export { type AnalysisRegistry, buildAnalysis, buildInSteps, hasSameAnalysis } from './registry';
