// The mapping as somebody sees it who may see some of the fields only: the others are not mapped.

import { someOutward } from '../common/index';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/index';
import { allowsField, type FieldId, type FieldLists } from '../metadata/index';
import { META_FIELD } from './fields/field-sink';
import type { IndexMapping } from './schema/index-mapping';

/** What of a type is kept besides its fields: all that says how these are read and found. */
const KEPT_OPTIONS: ReadonlySet<string> = new Set([
  'analyzer',
  'index_analyzer',
  'search_analyzer',
  'search_quote_analyzer',
  'dynamic_date_formats',
  'date_detection',
  'numeric_detection',
  '_parent',
]);

/** Metadata fields that documents are named by. */
const IDENTITY = [META_FIELD._uid, META_FIELD._type, META_FIELD._parent, META_FIELD._index];

/** Metadata fields that are seen when they are listed. */
const LISTED = ['_routing', '_timestamp', '_ttl'] as const;

/** The metadata fields among those that lists let through. */
export function seenMetadata(lists: FieldLists): readonly (typeof LISTED)[number][] {
  return LISTED.filter((name) => lists.every((patterns) => patterns.includes(name)));
}

/** Mappings without the fields that are not seen. */
export interface SeenMappings {
  readonly mappings: ReadonlyMap<string, JsonObject>;
  /** Names of fields that others are copied to that are not seen. */
  readonly copiedTo: ReadonlySet<string>;
}

/** Leaves fields out of the canonical mappings of types. */
export function seenMappings(
  mappings: ReadonlyMap<string, JsonObject>,
  lists: FieldLists,
): SeenMappings {
  const copiedTo = new Set<string>();
  const seen = new Map<string, JsonObject>();
  for (const [type, canonical] of mappings) {
    const kept: JsonObject = new Map([...canonical].filter(([option]) => KEPT_OPTIONS.has(option)));
    for (const name of ['_routing', ...seenMetadata(lists)]) {
      const options = canonical.get(name);
      // Which field its values are taken from is not shown.
      if (isJsonObject(options)) kept.set(name, without(options, ['path']));
    }
    const source = canonical.get('_source');
    if (isJsonObject(source) && source.get('enabled') === false) {
      kept.set('_source', new Map([['enabled', false]]));
    }
    const properties = seenProperties(canonical.get('properties'), '', lists, copiedTo);
    if (properties.size > 0) kept.set('properties', properties);
    seen.set(type, kept);
  }
  return { mappings: seen, copiedTo };
}

function seenProperties(
  properties: JsonValue | undefined,
  prefix: string,
  lists: FieldLists,
  copiedTo: Set<string>,
): JsonObject {
  const kept: JsonObject = new Map<string, JsonValue>();
  if (!isJsonObject(properties)) return kept;
  for (const [name, body] of properties) {
    if (!isJsonObject(body)) continue;
    const path = prefix + name;
    const isSeen = allowsField(lists, path);
    if (body.has('properties')) {
      const inner = seenProperties(body.get('properties'), `${path}.`, lists, copiedTo);
      if (inner.size > 0 || isSeen) kept.set(name, new Map([...body, ['properties', inner]]));
      continue;
    }
    const targets = textsOf(body.get('copy_to'));
    if (!isSeen) {
      for (const target of targets) copiedTo.add(target);
    } else if (contextPaths(body).every((each) => allowsField(lists, each))) {
      const shown = targets.filter((target) => allowsField(lists, target));
      const bare = without(body, ['copy_to']);
      kept.set(name, shown.length === 0 ? bare : bare.set('copy_to', shown));
    }
  }
  return kept;
}

/** Fields that completions are found by, besides their own texts. */
function contextPaths(body: JsonObject): readonly string[] {
  const contexts = body.get('context');
  if (!isJsonObject(contexts)) return [];
  return [...contexts.values()].flatMap((context) =>
    isJsonObject(context) ? textsOf(context.get('path')) : [],
  );
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((each) => typeof each === 'string');
}

function without(options: JsonObject, names: readonly string[]): JsonObject {
  return new Map([...options].filter(([name]) => !names.includes(name)));
}

/**
 * The physical fields of which everything may be seen. One that a field feeds which is not seen is not among
 * them, whether it is indexed under the same name or copied there.
 *
 * @param whole the mapping of the index as it is
 * @param seen what is compiled of {@link seenMappings}
 */
export function seenFieldIds(
  whole: IndexMapping,
  seen: IndexMapping,
  lists: FieldLists,
  copiedTo: ReadonlySet<string>,
): ReadonlySet<FieldId> {
  const ids = new Set<FieldId>([
    ...IDENTITY,
    ...seenMetadata(lists).map((name) => META_FIELD[name]),
  ]);
  const hidden = new Set<FieldId>();
  for (const type of whole.types) {
    const known = new Set<string>();
    for (const { type: kind, path, field } of seen.fieldsOf(type)) {
      if (kind === 'meta') continue;
      known.add(path);
      if (field !== null) ids.add(field.id);
    }
    for (const { type: kind, path, indexName, field } of whole.fieldsOf(type)) {
      if (kind === 'meta' || field === null) continue;
      const isFed = [path, indexName].some((name) =>
        someOutward(name, (each) => copiedTo.has(each)),
      );
      if (isFed || !known.has(path)) hidden.add(field.id);
    }
  }
  for (const id of hidden) ids.delete(id);
  return ids;
}
