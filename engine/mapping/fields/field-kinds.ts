// Which kind of values a field of a type holds: for fields of which nothing is indexed, and unmapped ones.

import type { FieldKind } from '../../metadata/index';

/** Kinds by the name of a mapping type; types whose values are no single terms or numbers are left out. */
export const KIND_OF_TYPE: ReadonlyMap<string, FieldKind> = new Map([
  ['string', 'string'],
  ['boolean', 'string'],
  ['byte', 'int'],
  ['short', 'int'],
  ['integer', 'int'],
  ['token_count', 'int'],
  ['long', 'long'],
  ['date', 'long'],
  ['ip', 'long'],
  ['float', 'float'],
  ['double', 'double'],
]);
