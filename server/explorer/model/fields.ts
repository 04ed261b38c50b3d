// The fields of what is searched, from the mappings of every index and type behind a name, by path.

import { isObject, ownObject, type JsonObject } from './own';

/** What can be done with a field. */
export type FieldKind =
  | 'keyword'
  | 'text'
  | 'number'
  | 'date'
  | 'boolean'
  | 'ip'
  | 'geo_point'
  | 'other';

/** A field as all indices and types behind a name have it. */
export interface Field {
  /** As queries name it. */
  readonly path: string;
  readonly kind: FieldKind;
  /** The type of the mapping. */
  readonly type: string;
  /** The nested object that it is in, or null. */
  readonly nested: string | null;
  /** The field that it is a second form of, or null. */
  readonly formOf: string | null;
  /** Whether only some of the indices have it. */
  readonly isPartial: boolean;
}

/** A mapping answer: indices, and below `mappings` their types. */
export type Mappings = Readonly<Record<string, { readonly mappings?: JsonObject }>>;

const NUMBERS = new Set(['byte', 'short', 'integer', 'long', 'float', 'double', 'token_count']);
/** Deeper trees are cut off. */
const DEEPEST = 32;

/** All fields behind a name by path; where types differ the field is `other`, and nobody proposes it. */
export function fieldsOf(mappings: Mappings): Field[] {
  const found = new Map<string, { field: Field; indices: Set<string> }>();
  const indices = Object.entries(mappings);
  for (const [index, { mappings: types }] of indices) {
    for (const mapping of Object.values(types ?? {})) {
      visit(ownObject(mapping, 'properties'), '', null, 0, (field) => {
        const known = found.get(field.path);
        if (known === undefined) found.set(field.path, { field, indices: new Set([index]) });
        else {
          known.indices.add(index);
          if (known.field.kind !== field.kind) known.field = { ...known.field, kind: 'other' };
        }
      });
    }
  }
  return [...found.values()]
    .map(({ field, indices: those }) => ({ ...field, isPartial: those.size < indices.length }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function visit(
  properties: JsonObject,
  prefix: string,
  nested: string | null,
  depth: number,
  add: (field: Field) => void,
): void {
  if (depth > DEEPEST) return;
  for (const [name, definition] of Object.entries(properties)) {
    if (!isObject(definition)) continue;
    const path = prefix + name;
    const { type, properties: below } = definition;
    if (isObject(below)) {
      visit(below, `${path}.`, type === 'nested' ? path : nested, depth + 1, add);
      continue;
    }
    add(fieldOf(path, definition, nested, null));
    for (const [form, other] of Object.entries(ownObject(definition, 'fields'))) {
      if (isObject(other)) add(fieldOf(`${path}.${form}`, other, nested, path));
    }
  }
}

function fieldOf(
  path: string,
  definition: JsonObject,
  nested: string | null,
  formOf: string | null,
): Field {
  const type = typeof definition['type'] === 'string' ? definition['type'] : 'object';
  return { path, kind: kindOf(type, definition), type, nested, formOf, isPartial: false };
}

function kindOf(type: string, { index, analyzer, index_analyzer }: JsonObject): FieldKind {
  if (index === 'no') return 'other';
  if (type === 'string') {
    const isWhole = index === 'not_analyzed' || (analyzer ?? index_analyzer) === 'keyword';
    return isWhole ? 'keyword' : 'text';
  }
  if (NUMBERS.has(type)) return 'number';
  switch (type) {
    case 'date':
    case 'boolean':
    case 'ip':
    case 'geo_point':
      return type;
    default:
      return 'other';
  }
}

/** How many types the mappings have, over all indices. */
export function typesOf(mappings: Mappings): string[] {
  const names = new Set<string>();
  for (const { mappings: types } of Object.values(mappings)) {
    for (const name of Object.keys(types ?? {})) names.add(name);
  }
  names.delete('_default_');
  return [...names].sort();
}

const TITLES = ['title', 'name', 'subject', 'headline', 'label', 'summary'];

/** The field whose value heads a card: the first that is called like a title, else the first text. */
export function titleField(fields: readonly Field[]): string | null {
  const texts = fields.filter(
    ({ kind, formOf }) => (kind === 'text' || kind === 'keyword') && formOf === null,
  );
  for (const title of TITLES) {
    const found = texts.find(({ path }) => path.toLowerCase().split('.').at(-1) === title);
    if (found !== undefined) return found.path;
  }
  return texts.find(({ kind }) => kind === 'text')?.path ?? texts[0]?.path ?? null;
}
