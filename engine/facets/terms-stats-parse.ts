// From the body of a terms_stats facet to its spec for one index (reference server).

import { EngineError, illegalArgument } from '../errors';
import type { JsonObject } from '../json/json';
import type { ScriptName } from '../script/library';
import { scriptName } from '../script/parse-script';
import { lenientBoolean, lenientInteger } from '../search/lenient';
import type { FacetParseContext } from './facet';
import { scalarMembers, type ScalarValue } from './members';
import { facetFailure, findLeaf, isNumberField, refuseSource } from './number-field';
import { scriptNumbers, type NumberOrigin } from './number-source';
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
  for (const [member, value] of scalarMembers(body)) readMember(members, member, value);
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
  return { key, value, size, order };
}

function readMember(members: Members, name: string, value: ScalarValue): void {
  switch (name) {
    case 'key_field':
    case 'keyField':
      members.keyField = String(value);
      return;
    case 'value_field':
    case 'valueField':
      members.valueField = String(value);
      return;
    case 'script':
    case 'script_field':
    case 'scriptField':
      members.script = { kind: 'inline', text: String(value) };
      return;
    case 'size':
      members.size = lenientInteger(value, DEFAULT_SIZE);
      return;
    case 'shard_size':
    case 'shardSize':
      // Only checked: the answer is exact without it.
      lenientInteger(value, 0);
      return;
    case 'all_terms':
    case 'allTerms':
      if (lenientBoolean(value, false)) members.size = 0;
      return;
    case 'order':
    case 'comparator': {
      const order = ORDERS.get(String(value));
      if (order === undefined) {
        throw illegalArgument(
          `No type argument match for terms stats facet comparator [${String(value)}]`,
        );
      }
      members.order = order;
      return;
    }
    default:
      members.script = scriptName('value_script', name, String(value)) ?? members.script;
  }
}

function keyOf(facet: string, name: string, context: FacetParseContext): StatsKey {
  if (name === '_index') return { kind: 'constant', term: context.indexName };
  const mapped = findLeaf(name, context);
  if (mapped === null) throw facetFailure(facet, `failed to find mapping for ${name}`);
  refuseSource(mapped);
  if (mapped.type === 'binary') {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      `Field data loading is forbidden on ${name}`,
    );
  }
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
