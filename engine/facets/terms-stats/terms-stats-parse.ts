// From the body of a terms_stats facet to its spec for one index (reference server).

import type { NumberOrigin } from '../../counting/index';
import { illegalArgument } from '../../errors';
import { type JsonObject, lenientBoolean, lenientInteger } from '../../json/index';
import { refuseUnloadable } from '../../mapping/index';
import type { ScriptName } from '../../script/index';
import type { FacetParseContext } from '../contract/facet';
import { MemberTable } from '../contract/members';
import { facetFailure, findLeaf, isNumberField } from '../contract/number-field';
import { scriptNumbers } from '../contract/number-source';
import { isUnreadable } from '../terms/terms-source';
import type { StatsKey, StatsOrder, StatsOrderKey, TermsStatsSpec } from './terms-stats-spec';

const DEFAULT_SIZE = 10;

const ORDER_KEYS: readonly StatsOrderKey[] = ['count', 'term', 'total', 'min', 'max', 'mean'];

/** All spellings: `total`, `reverse_total`, `reverseTotal`. */
const ORDERS: ReadonlyMap<string, StatsOrder> = new Map(
  ORDER_KEYS.flatMap((by) => {
    const camelCase = `reverse${by.charAt(0).toUpperCase()}${by.slice(1)}`;
    const reversed = { by, reverse: true };
    return [
      [by, { by, reverse: false }],
      [`reverse_${by}`, reversed],
      [camelCase, reversed],
    ] as [string, StatsOrder][];
  }),
);

interface Members {
  keyField: string | null;
  valueField: string | null;
  script: ScriptName | null;
  size: number;
  order: StatsOrder;
}

const MEMBERS = new MemberTable<Members>(
  [
    [['key_field'], (members, value) => (members.keyField = String(value))],
    [['value_field'], (members, value) => (members.valueField = String(value))],
    [
      ['script', 'script_field'],
      (members, value) => (members.script = { kind: 'inline', text: String(value) }),
    ],
    [['size'], (members, value) => (members.size = lenientInteger(value, DEFAULT_SIZE))],
    // Only checked: the answer is exact without it.
    [['shard_size'], (_members, value) => lenientInteger(value, 0)],
    [
      ['all_terms'],
      (members, value) => {
        if (lenientBoolean(value, false)) members.size = 0;
      },
    ],
    [['order', 'comparator'], (members, value) => (members.order = parseOrder(String(value)))],
  ],
  [['value_script', (members, script) => (members.script = script)]],
);

/** @throws EngineError with the reference server's exception names and messages */
export function parseTermsStats(
  name: string,
  body: JsonObject,
  context: FacetParseContext,
): TermsStatsSpec {
  const members: Members = {
    keyField: null,
    valueField: null,
    script: null,
    size: DEFAULT_SIZE,
    order: { by: 'count', reverse: false },
  };
  MEMBERS.readAll(members, body);
  const { keyField, valueField, size, order } = members;
  if (keyField === null)
    throw facetFailure(name, '[key_field] is required to be set for terms stats facet');
  const { script } = members;
  if (valueField === null && script === null) {
    throw facetFailure(
      name,
      'either [value_field] or [script] are required to be set for terms stats facet',
    );
  }
  if (size < 0) throw facetFailure(name, '[size] must not be negative');
  const key = keyOf(name, keyField, context);
  const value =
    valueField === null && script !== null
      ? scriptNumbers(script, body, context)
      : valueOf(name, valueField ?? '', context);
  const unreadable = isUnreadable(keyField, context) ? keyField : null;
  return { key, unreadable, value, size, order };
}

function parseOrder(text: string): StatsOrder {
  const order = ORDERS.get(text);
  if (order !== undefined) return order;
  throw illegalArgument(`No type argument match for terms stats facet comparator [${text}]`);
}

function keyOf(facet: string, name: string, context: FacetParseContext): StatsKey {
  if (name === '_index') return { kind: 'constant', term: context.indexName };
  const mapped = findLeaf(name, context);
  if (mapped === null) throw facetFailure(facet, `failed to find mapping for ${name}`);
  refuseUnloadable(mapped);
  const { field, type } = mapped;
  switch (field?.kind) {
    case 'int':
    case 'long':
      return { kind: 'long', field: field.id };
    case 'float':
    case 'double':
      return { kind: 'double', field: field.id };
    case 'geo':
      return { kind: 'geo', field: field.id };
    case 'string':
      return { kind: 'string', field: field.id };
    case undefined: {
      const isLong = isNumberField(mapped) || mapped.path === '_timestamp';
      if (!isLong) return { kind: 'string', field: null };
      return { kind: type === 'float' || type === 'double' ? 'double' : 'long', field: null };
    }
  }
}

function valueOf(facet: string, name: string, context: FacetParseContext): NumberOrigin {
  const mapped = findLeaf(name, context);
  if (mapped === null) throw facetFailure(facet, `failed to find mapping for ${name}`);
  if (!isNumberField(mapped) && mapped.path !== '_timestamp') {
    const { type } = mapped;
    const shown = type === 'boolean' || type === 'meta' ? 'string' : type;
    throw facetFailure(facet, `value_field [${name}] isn't a number field, but a ${shown}`);
  }
  return { kind: 'field', field: mapped.field?.id ?? null };
}
