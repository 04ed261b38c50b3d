// What a search asks to be highlighted, resolved against one index. Plain data, sendable to a worker.

import type { AnalysisSource } from '../../analysis/index';
import type { FieldId } from '../../metadata/index';
import type { Query } from '../../query/index';

/** Options of one entry of `fields`, complete (reference server). */
export interface HighlightOptions {
  /** As asked; null: chosen by the mapping of the field. */
  readonly type: string | null;
  /** UTF-16 units of a fragment, about. */
  readonly fragmentSize: number;
  /** 0: the whole field. */
  readonly numberOfFragments: number;
  /** How far before the first match a fragment of a fast vector begins at least; -1: not given. */
  readonly fragmentOffset: number;
  readonly scoreOrdered: boolean;
  readonly requireFieldMatch: boolean;
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
  /** Escape the text, not the tags, for HTML. */
  readonly isHtml: boolean;
  readonly boundaryMaxScan: number;
  readonly boundaryChars: string;
  /** UTF-16 units that are shown of a field without matches; 0: none. */
  readonly noMatchSize: number;
  /** Phrases of a text that a fast vector looks at. */
  readonly phraseLimit: number;
  readonly fragmenter: string | null;
  readonly forceSource: boolean;
  /** Fields whose matches count as those of this one, for fast vectors; empty: itself. */
  readonly matchedFields: readonly string[];
}

/** An entry of `fields`. */
export interface HighlightEntry {
  readonly options: HighlightOptions;
  /** What is looked for: position in {@link HighlightPlan.queries}. */
  readonly query: number;
}

/** Where the texts of a field are, and how they become terms. */
export interface HighlightText {
  /** 0: nothing of it is indexed. */
  readonly field: FieldId;
  readonly sourcePath: string;
  /** Paths of the fields that are copied to it. */
  readonly copiedPaths: readonly string[];
  readonly isStored: boolean;
  /** Name of its index analyzer; null: a value is one term. */
  readonly analyzer: string | null;
  readonly positionGap: number;
  readonly hasVectors: boolean;
  readonly hasOffsets: boolean;
  /** Its terms are those of hidden documents. */
  readonly isNested: boolean;
}

/** A field to highlight in documents of one type. */
export interface HighlightTarget {
  /** Member of the hit's `highlight`. */
  readonly name: string;
  readonly entry: number;
  /** It was asked for by a pattern: what cannot be highlighted so is passed over. */
  readonly isPattern: boolean;
  /** Null: it is no text. */
  readonly text: HighlightText | null;
  /** Those of `matched_fields`. */
  readonly matched: readonly HighlightText[];
}

/** Everything that highlighting the hits of one index needs. */
export interface HighlightPlan {
  /** Name of the index, for error texts. */
  readonly index: string;
  readonly analysis: AnalysisSource;
  readonly queries: readonly Query[];
  readonly entries: readonly HighlightEntry[];
  /** By mapping type, in the order of the entries. */
  readonly targets: ReadonlyMap<string, readonly HighlightTarget[]>;
}
