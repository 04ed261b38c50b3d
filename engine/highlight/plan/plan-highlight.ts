// From the entries of `highlight` to the fields of each mapping type.

import { analysisSource } from '../../analysis/index';
import { appendAll, inTableOrder, matchesPattern } from '../../common/index';
import { type IndexMapping, META_FIELD, type MappedField } from '../../mapping/index';
import type { IndexMetadata } from '../../metadata/index';
import { MATCH_ALL, type Query } from '../../query/index';
import type {
  HighlightEntry,
  HighlightPlan,
  HighlightTarget,
  HighlightText,
} from './highlight-plan';
import type { HighlightRequest } from './parse-highlight';

/**
 * Plans highlighting for the documents of one index.
 *
 * @param query what entries without a query of their own look for; null: everything, which marks nothing
 * @param types mapping types that hits may have; empty: all of the index
 */
export function planHighlight(
  requests: readonly HighlightRequest[],
  query: Query | null,
  index: Pick<IndexMetadata, 'name' | 'uuid' | 'settings'>,
  mapping: IndexMapping,
  types: readonly string[],
): HighlightPlan {
  const queries: Query[] = [query ?? MATCH_ALL];
  const positions = new Map<Query, number>([[queries[0]!, 0]]);
  const entries = requests.map(({ options, query: own }): HighlightEntry => {
    const wanted = own ?? queries[0]!;
    const known = positions.get(wanted);
    if (known !== undefined) return { options, query: known };
    positions.set(wanted, queries.length);
    queries.push(wanted);
    return { options, query: queries.length - 1 };
  });
  const shown = types.length === 0 ? mapping.types : mapping.types.filter((t) => types.includes(t));
  const targets = new Map(
    shown.map((type) => [type, new TypeTargets(mapping, type).of(requests)] as const),
  );
  return { index: index.name, analysis: analysisSource(index), queries, entries, targets };
}

/** The fields of one type. */
class TypeTargets {
  private fields: readonly MappedField[] | null = null;
  private copies: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(
    private readonly mapping: IndexMapping,
    private readonly type: string,
  ) {}

  of(requests: readonly HighlightRequest[]): HighlightTarget[] {
    const targets: HighlightTarget[] = [];
    requests.forEach(({ field, options }, entry) => {
      const isPattern = field.includes('*');
      const matched = options.matchedFields.flatMap((name) => {
        const text = this.textOf(this.find(name));
        return text === null ? [] : [text];
      });
      const found = isPattern ? this.matching(field) : this.named(field);
      appendAll(
        targets,
        found.map(([name, mapped]) => {
          return { name, entry, isPattern, text: this.textOf(mapped), matched };
        }),
      );
    });
    return targets;
  }

  private named(name: string): (readonly [string, MappedField])[] {
    const mapped = this.find(name);
    return mapped === null ? [] : [[name, mapped]];
  }

  private find(name: string): MappedField | null {
    const found = this.mapping.find(name, [this.type]);
    return found === null || found.restrictToType !== null ? null : found.mapped;
  }

  /** By path, else by the name under which they are indexed. */
  private matching(pattern: string): (readonly [string, MappedField])[] {
    const found = new Map<string, MappedField>();
    for (const mapped of this.all()) {
      const { path, indexName } = mapped;
      if (matchesPattern(pattern, path)) found.set(path, mapped);
      else if (matchesPattern(pattern, indexName)) found.set(indexName, mapped);
    }
    return inTableOrder([...found.keys()]).map((name) => [name, found.get(name)!]);
  }

  private all(): readonly MappedField[] {
    return (this.fields ??= this.mapping.fieldsOf(this.type));
  }

  private textOf(mapped: MappedField | null): HighlightText | null {
    if (mapped === null || mapped.text === null || mapped.field?.id === META_FIELD._all)
      return null;
    const { sourcePath, analyzer, hasVectors, hasOffsets } = mapped.text;
    return {
      field: mapped.field?.indexed === true ? mapped.field.id : 0,
      sourcePath,
      copiedPaths: mapped.store ? this.copiedTo(mapped.path) : [],
      isStored: mapped.store,
      analyzer: analyzer?.name ?? null,
      positionGap: mapped.field?.positionGap ?? 0,
      hasVectors,
      hasOffsets,
      isNested: mapped.nestedPath !== null,
    };
  }

  private copiedTo(path: string): readonly string[] {
    if (this.copies === null) {
      const copies = new Map<string, string[]>();
      for (const { text } of this.all()) {
        for (const target of text?.copiesTo ?? []) {
          const known = copies.get(target);
          if (known === undefined) copies.set(target, [text!.sourcePath]);
          else known.push(text!.sourcePath);
        }
      }
      this.copies = copies;
    }
    return this.copies.get(path) ?? [];
  }
}
