// Sort keys as OpenSearch has them, and sort values as facetd prints them. Equal hits stand in the order in
// which they were written.

import type { JsonOutput, JsonValue } from '../../json/index';
import { JsonNumber } from '../../json/index';
import {
  type IndexPlan,
  NO_DISTANCE,
  type ShardHit,
  type SortKey,
  type SortValue,
} from '../../search/index';
import { nestedPath, termField, valueField, within } from '../layout/names';
import { clauseOf } from '../queries/clause';
import { type ClauseContext } from '../queries/clause-context';
import { painlessScript, WITH_SCORE } from '../scripts/painless';
import { measureOf, POINT, POINTS } from '../scripts/distance';
import { pointParams } from '../queries/geo';

const LAST_SEQUENCE = 2n ** 63n - 1n;
const IN_ORDER = { _seq_no: { order: 'asc' } } as const;

/** The sort of a plan. @throws EngineError for what there is no sort by */
export function sortRequest(plan: IndexPlan, context: ClauseContext): JsonOutput {
  if (plan.scan === true) return [IN_ORDER];
  if (plan.sort === null) return [{ _score: { order: 'desc' } }, IN_ORDER];
  return [...plan.sort.filter(isSent).map((key) => keyRequest(key, context)), IN_ORDER];
}

/** Where the wanted hits begin. @param position of the shard */
export function searchAfter(plan: IndexPlan, after: ShardHit, position: number): JsonOutput {
  const sequence =
    after.shard === position ? after.sequence : after.shard > position ? LAST_SEQUENCE : -1;
  if (plan.scan === true) return [after.sequence];
  if (plan.sort === null) return [after.score / plan.indexBoost, sequence];
  const values = plan.sort.flatMap((key, i) => {
    if (!isSent(key)) return [];
    const value = after.sort[i] ?? null;
    return [typeof value === 'number' && !Number.isFinite(value) ? String(value) : value];
  });
  return [...values, sequence];
}

/** The sort values of a hit. @param sent what OpenSearch gives */
export function sortValues(plan: IndexPlan, sent: readonly JsonValue[]): readonly SortValue[] {
  if (plan.sort === null || plan.scan === true) return [];
  let next = 0;
  return plan.sort.map((key) => (isSent(key) ? valueOf(key, sent[next++] ?? null) : absent(key)));
}

/** Fields that are not mapped, or cannot be sorted by, have no values to send. */
function isSent(key: SortKey): boolean {
  if (key.kind !== 'field') return true;
  return key.fieldKind !== null && key.fieldKind !== 'geo';
}

function absent({ missing }: SortKey): SortValue {
  return missing === '_first' || missing === '_last' ? null : missing;
}

function keyRequest(key: SortKey, context: ClauseContext): JsonOutput {
  const order = key.descending ? 'desc' : 'asc';
  switch (key.kind) {
    case 'score':
      return { _score: { order } };
    case 'doc':
      return { _seq_no: { order } };
    case 'script':
      return scriptRequest(key, order, context);
    case 'distance':
      return distanceRequest(key, order, context);
    case 'field':
      return fieldRequest(key, order, context);
  }
}

function fieldRequest(key: SortKey, order: string, context: ClauseContext): JsonOutput {
  const isString = key.fieldKind === 'string';
  const isWhole = key.fieldKind === 'int' || key.fieldKind === 'long';
  const path = key.nestedPath === null ? context.path : nestedPath(context.mapping, key.nestedPath);
  const name = isString ? termField(key.field) : valueField(key.field);
  return {
    [within(path, name)]: {
      order,
      mode: key.mode,
      missing: key.missing,
      unmapped_type: isString ? 'keyword' : isWhole ? 'long' : 'double',
      ...nestedPart(key, path, context),
    },
  };
}

function nestedPart(
  key: SortKey,
  path: string | null,
  context: ClauseContext,
): { readonly nested?: JsonOutput } {
  if (key.nestedPath === null || path === null) return {};
  if (key.nestedFilter === null) return { nested: { path } };
  return { nested: { path, filter: clauseOf(key.nestedFilter, { ...context, path }) } };
}

/** By what a script gives of a document, or of nested objects. */
function scriptRequest(key: SortKey, order: string, context: ClauseContext): JsonOutput {
  const path = key.nestedPath === null ? context.path : nestedPath(context.mapping, key.nestedPath);
  const isText = key.fieldKind === 'string';
  const result = isText ? 'text' : 'number';
  const script = painlessScript(key.script!, result, { path }, WITH_SCORE);
  const mode = key.nestedPath === null ? {} : { mode: key.mode };
  const type = isText ? 'string' : 'number';
  return { _script: { type, order, script, ...mode, ...nestedPart(key, path, context) } };
}

/** The nearest, farthest or average of all pairs of points. */
function distanceRequest(key: SortKey, order: string, context: ClauseContext): JsonOutput {
  const { points, type, unitMeters } = key.distance!;
  const { declaration, name } = measureOf(type);
  const joined =
    key.mode === 'min' ? 'Math.min(r, d)' : key.mode === 'max' ? 'Math.max(r, d)' : 'r + d';
  const average = key.mode === 'avg' ? 'r / c' : 'r';
  const source =
    `${declaration}${POINTS}double r = 0; int c = 0; for (int i = 0; i < n; i++) { ` +
    'for (int j = 0; j < params.lats.size(); j++) { double d = ' +
    `${name}(params.lats[j], params.lons[j], ${POINT}) / params.unit; ` +
    `r = c == 0 ? d : ${joined}; c++ } } return c == 0 ? Double.MAX_VALUE : ${average};`;
  const path = key.nestedPath === null ? context.path : nestedPath(context.mapping, key.nestedPath);
  const params = {
    ...pointParams(key.field, { ...context, path }),
    lats: points.map(({ latitude }) => latitude),
    lons: points.map(({ longitude }) => longitude),
    unit: type === 'factor' ? 1 : unitMeters,
  };
  const script = { lang: 'painless', source, params };
  const nested = nestedPart(key, path, context);
  const mode = key.nestedPath === null ? {} : { mode: key.mode };
  return { _script: { type: 'number', order, script, ...mode, ...nested } };
}

function valueOf(key: SortKey, value: JsonValue): SortValue {
  if (value === null) return null;
  if (typeof value === 'string') {
    if (key.kind !== 'distance' && key.fieldKind === 'string') return value;
    return value === 'Infinity' ? Infinity : value === '-Infinity' ? -Infinity : Number(value);
  }
  if (!(value instanceof JsonNumber)) return null;
  if (key.kind === 'field' && (key.fieldKind === 'long' || key.fieldKind === 'int')) {
    const number = Number(value.text);
    return Number.isSafeInteger(number) ? number : BigInt(value.text);
  }
  const number = Number(value.text);
  return key.kind === 'distance' && number >= NO_DISTANCE ? NO_DISTANCE : number;
}
