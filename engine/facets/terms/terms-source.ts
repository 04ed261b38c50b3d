// The fields of a terms facet and the terms it leaves out, as the mapping of one index reads them (reference
// server).

import { numberFormat } from '../../common/index';
import { refuseUnloadable } from '../../mapping/index';
import type { FacetParseContext } from '../contract/facet';
import { termTypeOf, type TermSource, type TermType } from './terms-spec';

/**
 * Where the terms of a field come from. Null: unmapped, which objects are, too.
 *
 * @throws EngineError for fields that have no terms to read
 */
export function sourceOf(name: string, context: FacetParseContext): TermSource | null {
  if (name === '_index') return { kind: 'constant', term: context.indexName };
  const mapped = context.mapping.find(name, context.types)?.mapped;
  if (mapped === undefined || mapped.type === 'object' || mapped.type === 'nested') return null;
  refuseUnloadable(mapped);
  const { field } = mapped;
  return field === null
    ? { kind: 'nothing' }
    : { kind: 'field', field: field.id, fieldKind: field.kind };
}

/** Whether a field holds binary values, whose terms cannot be read. */
export function isUnreadable(name: string, { mapping, types }: FacetParseContext): boolean {
  return mapping.find(name, types)?.mapped.type === 'binary';
}

/** The type of the terms of a source; null: it has none. */
export function typeOfSource(source: TermSource | undefined): TermType | null {
  switch (source?.kind) {
    case 'field':
      return termTypeOf(source.fieldKind);
    case 'constant':
      return 'string';
    case 'nothing':
    case undefined:
      return null;
  }
}

/**
 * Texts as terms of a type.
 *
 * @throws EngineError NumberFormatException
 */
export function excludedTerms(
  texts: readonly string[],
  type: TermType | null,
): (string | bigint | number)[] {
  switch (type) {
    case 'long':
      return texts.map((text) => {
        if (!/^[+-]?\d+$/.test(text)) throw numberFormat(text);
        return BigInt(text.startsWith('+') ? text.slice(1) : text);
      });
    case 'double':
      return texts.map((text) => {
        const value = Number(text);
        if (text.trim() === '' || Number.isNaN(value)) throw numberFormat(text);
        return value;
      });
    case 'string':
    case null:
      return [...texts];
  }
}
