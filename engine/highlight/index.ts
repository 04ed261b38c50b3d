// Highlighting: which pieces of a document's texts show what a query found, with tags around it.

export { DocumentHighlighter } from './document-highlighter';
export type { HighlightPlan } from './plan/highlight-plan';
export { type HighlightRequest, parseHighlight } from './plan/parse-highlight';
export { planHighlight } from './plan/plan-highlight';
export type { HighlightDocument } from './texts/document-texts';
