// What has_child, has_parent and top_children share: an inner query about the documents of a type that is
// named beside it, before or after.

import type { JsonObject } from '../../../json/index';
import { EngineError } from '../../../errors';
import { type ParseScope, withBoost } from '../scope/parse-scope';
import { type KindBody, textOf, type Scalar } from '../scope/members';
import type { ChildScoreMode, Query } from '../../ast/query';

/** How the kind is called in error texts: `has_child` and whether it is the query or the filter. */
export interface RelatedKind {
  readonly name: 'has_child' | 'has_parent' | 'top_children';
  readonly form: 'query' | 'filter';
}

/** Collects the type and the inner query of a body while its members are read. */
export class RelatedQuery {
  type: string | null = null;
  private body: { readonly form: 'query' | 'filter'; readonly content: JsonObject } | null = null;
  private parsed: Query | null = null;
  private innerHits: JsonObject | null = null;

  constructor(
    private readonly kind: RelatedKind,
    private readonly scope: ParseScope,
    body: KindBody,
  ) {
    // compat: what stands in a list has no name.
    if (Array.isArray(body) && body.length > 0) throw this.unsupported('null');
  }

  /** Reads a member that is an object; one that comes after the type is parsed at once. */
  readInner(name: string, content: JsonObject): void {
    if (name === 'inner_hits' && this.kind.name !== 'top_children') {
      this.innerHits = content;
      return;
    }
    const isInner = name === 'query' || (name === 'filter' && this.kind.form === 'filter');
    if (!isInner) throw this.unsupported(name);
    this.body = { form: name, content };
    this.parsed = null;
    if (this.type !== null) this.parse();
  }

  /** Reads the type. */
  readType(value: Scalar): void {
    this.type = textOf(value);
  }

  /** The complaint about an option that the kind does not have. */
  unsupported(option: string): EngineError {
    const { name, form } = this.kind;
    if (option === '_scope') {
      return this.scope.error(
        `the [_scope] support in [${name}] ${form} has been removed, use a filter as a facet_filter in the relevant global facet`,
      );
    }
    return this.scope.error(`[${name}] ${form} does not support [${option}]`);
  }

  /**
   * The inner query, restricted to the documents of its type; null: it says nothing.
   *
   * @param typeOption how the option of the type is called
   * @param boost takes the place of that of the inner query
   * @param isScored whether anybody asks for its scores
   * @throws EngineError where one is missing
   */
  finish(typeOption: string, boost: number, isScored: boolean): Query | null {
    const { name, form } = this.kind;
    // compat: the query of has_child is called by its name alone.
    const who = form === 'filter' || name === 'has_parent' ? `[${name}] ${form}` : `[${name}]`;
    if (this.body === null) {
      throw this.scope.error(
        form === 'filter'
          ? `${who} requires 'query' or 'filter' field`
          : `${who} requires 'query' field`,
      );
    }
    if (this.type === null) throw this.scope.error(`${who} requires '${typeOption}' field`);
    const inner = this.parsed ?? this.parse();
    if (inner === null) return null;
    const filter: Query = { kind: 'types', types: [this.type], boost: 1 };
    const scored = withBoost(inner, boost);
    const query: Query = { kind: 'filtered', query: scored, filter, boost: 1 };
    if (this.innerHits !== null) {
      const target = { kind: 'related', type: this.type } as const;
      this.scope.context.addInnerHits?.({ target, query: scored, options: this.innerHits });
    }
    return isScored ? query : { kind: 'constantScore', query, boost: 1 };
  }

  private parse(): Query | null {
    const { form, content } = this.body!;
    const scope = this.scope.ofType(this.type!);
    if (form === 'query') return (this.parsed = scope.query(content));
    const filter = scope.filter(content);
    if (filter === null) {
      throw this.scope.error(`[${this.kind.name}] filter requires 'query' or 'filter' field`);
    }
    return (this.parsed = { kind: 'constantScore', query: filter, boost: 1 });
  }
}

const SCORE_MODES = new Map([
  ['none', 'none'],
  ['min', 'min'],
  ['max', 'max'],
  ['sum', 'sum'],
  ['total', 'sum'],
  ['avg', 'avg'],
] as const);

/** Reads how the scores of children make that of their parent. @throws EngineError */
export function childScoreMode(value: Scalar): ChildScoreMode {
  const text = textOf(value);
  const mode = (SCORE_MODES as ReadonlyMap<string, ChildScoreMode>).get(text);
  if (mode === undefined) {
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `No score type for child query [${text}] found`,
    );
  }
  return mode;
}
