// How significant a term is: its documents in a subset compared with those in the background (reference
// server).

import { EngineError } from '../../errors';
import { isJsonObject, isScalar, type JsonObject, lenientBoolean } from '../../json/index';
import { bindScript, planScript, type ScriptPlan, ScriptMembers } from '../../script/index';
import type { AggregationParseContext } from '../contract/aggregation';

/** Documents with the term, and of all, in the subset and in the background. */
export interface TermFrequency {
  readonly subsetFreq: number;
  readonly subsetSize: number;
  readonly supersetFreq: number;
  readonly supersetSize: number;
}

/** What scores terms. Plain data. */
export type Heuristic =
  | { readonly kind: 'jlh' | 'percentage' }
  | {
      readonly kind: 'mutual_information' | 'chi_square' | 'gnd';
      /** Terms that are rarer in the subset than elsewhere count as well. */
      readonly includesNegatives: boolean;
      /** The documents of the subset are in the background, too. */
      readonly isSuperset: boolean;
    }
  | { readonly kind: 'script'; readonly plan: ScriptPlan; readonly now: number };

export const DEFAULT_HEURISTIC: Heuristic = { kind: 'jlh' };

/**
 * Reads a heuristic; null: no heuristic is called so.
 *
 * @throws EngineError ElasticsearchParseException
 */
export function parseHeuristic(
  member: string,
  body: JsonObject,
  context: AggregationParseContext,
): Heuristic | null {
  switch (member) {
    case 'jlh':
      refuseOptions(body, 'jhl score');
      return { kind: 'jlh' };
    case 'percentage':
      refuseOptions(body, 'percentage score');
      return { kind: 'percentage' };
    case 'mutual_information':
    case 'mutualInformation':
      return contingency('mutual_information', body);
    case 'chi_square':
    case 'chiSquare':
      return contingency('chi_square', body);
    case 'gnd':
      return contingency('gnd', body);
    case 'script_heuristic':
    case 'scriptHeuristic':
      return scriptOf(body, context);
    default:
      return null;
  }
}

function refuseOptions(body: JsonObject, name: string): void {
  for (const [option] of body) throw failure(`expected }, got ${option} instead in ${name}`);
}

function contingency(
  kind: 'mutual_information' | 'chi_square' | 'gnd',
  body: JsonObject,
): Heuristic {
  let includesNegatives = false;
  let isSuperset = true;
  for (const [option, value] of body) {
    // compat: what is no scalar says yes.
    const flag = () => !isScalar(value) || value === null || lenientBoolean(value, true);
    if (kind !== 'gnd' && (option === 'include_negatives' || option === 'includeNegatives'))
      includesNegatives = flag();
    else if (option === 'background_is_superset' || option === 'backgroundIsSuperset')
      isSuperset = flag();
    else throw failure(`Field ${option} unknown for ${kind}`);
  }
  return { kind, includesNegatives, isSuperset };
}

function scriptOf(body: JsonObject, { search }: AggregationParseContext): Heuristic {
  const members = new ScriptMembers();
  for (const [option, value] of body) {
    if (!(option === 'params' ? isJsonObject(value) : typeof value === 'string'))
      throw failure(`unknown field ${option} in script_heuristic`);
    if (!members.read(option, value)) throw failure(`unknown field ${option} in script_heuristic`);
  }
  const request = members.request();
  if (request === null) throw failure('No script found in script_heuristic');
  const { scripts, now } = search.services;
  search.meter.add('scripts', 1);
  const index = { indexName: search.index.name, mapping: search.mapping, types: search.types };
  const source = scripts().resolve(request);
  if (source.lang === 'expression') {
    throw failure(`The script [${source.source}] could not be loaded`);
  }
  return { kind: 'script', plan: planScript(source, index), now: now() };
}

function failure(message: string): EngineError {
  return new EngineError('ElasticsearchParseException', message);
}

/** Scores a term. @throws EngineError where the numbers cannot be */
export type ScoreTerm = (term: TermFrequency) => number;

/** What scores terms by a heuristic. */
export function termScorer(heuristic: Heuristic): ScoreTerm {
  switch (heuristic.kind) {
    case 'jlh':
      return jlh;
    case 'percentage':
      return percentage;
    case 'mutual_information':
      return (term) => mutualInformation(tableOf(term, heuristic.isSuperset), heuristic);
    case 'chi_square':
      return (term) => chiSquare(tableOf(term, heuristic.isSuperset), heuristic);
    case 'gnd':
      return (term) => googleDistance(tableOf(term, heuristic.isSuperset));
    case 'script':
      return scriptScorer(heuristic.plan, heuristic.now);
  }
}

function scriptScorer(plan: ScriptPlan, now: number): ScoreTerm {
  let current: TermFrequency = { subsetFreq: 0, subsetSize: 0, supersetFreq: 0, supersetSize: 0 };
  const given = new Map([
    ['_subset_freq', () => BigInt(current.subsetFreq)],
    ['_subset_size', () => BigInt(current.subsetSize)],
    ['_superset_freq', () => BigInt(current.supersetFreq)],
    ['_superset_size', () => BigInt(current.supersetSize)],
  ]);
  const script = bindScript(plan, { now, given });
  return (term) => {
    current = term;
    return script.number(0);
  };
}

function jlh(term: TermFrequency): number {
  checkCounts(term, 'JLHScore');
  const { subsetFreq, subsetSize, supersetFreq, supersetSize } = term;
  if (subsetSize === 0 || supersetSize === 0) return 0;
  // compat: what the background lacks is taken to be there once.
  const inBackground = Math.max(supersetFreq, 1) / supersetSize;
  const inSubset = subsetFreq / subsetSize;
  const change = inSubset - inBackground;
  return change <= 0 ? 0 : change * (inSubset / inBackground);
}

function percentage(term: TermFrequency): number {
  checkCounts(term, 'PercentageScore');
  return term.supersetFreq === 0 ? 0 : term.subsetFreq / term.supersetFreq;
}

function checkCounts(term: TermFrequency, name: string): void {
  if (term.subsetFreq > term.subsetSize) throw illegal(`subsetFreq > subsetSize, in ${name}`);
  if (term.supersetFreq > term.supersetSize)
    throw illegal(`supersetFreq > supersetSize, in ${name}`);
}

function illegal(message: string): EngineError {
  return new EngineError('ElasticsearchIllegalArgumentException', message);
}

/** Documents with (1) or without (0) the term, by whether they are in the subset; `any` sums up. */
interface Contingency {
  readonly without: { readonly outside: number; readonly inside: number; readonly any: number };
  readonly with: { readonly outside: number; readonly inside: number; readonly any: number };
  readonly outside: number;
  readonly inside: number;
  readonly all: number;
}

const HINT =
  ', does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false';

function tableOf(term: TermFrequency, isSuperset: boolean): Contingency {
  const { subsetFreq, subsetSize, supersetFreq, supersetSize } = term;
  if (subsetFreq > subsetSize) throw illegal('subsetFreq > subsetSize');
  if (supersetFreq > supersetSize) throw illegal('supersetFreq > supersetSize');
  const rest = subsetSize - subsetFreq;
  if (!isSuperset) {
    const lacking = supersetSize - supersetFreq;
    return {
      without: { outside: lacking, inside: rest, any: lacking + rest },
      with: { outside: supersetFreq, inside: subsetFreq, any: supersetFreq + subsetFreq },
      outside: supersetSize,
      inside: subsetSize,
      all: supersetSize + subsetSize,
    };
  }
  if (subsetFreq > supersetFreq) throw illegal(`subsetFreq > supersetFreq${HINT}`);
  if (subsetSize > supersetSize) throw illegal(`subsetSize > supersetSize${HINT}`);
  if (supersetFreq - subsetFreq > supersetSize - subsetSize)
    throw illegal(`supersetFreq - subsetFreq > supersetSize - subsetSize${HINT}`);
  return {
    without: {
      outside: supersetSize - supersetFreq - rest,
      inside: rest,
      any: supersetSize - supersetFreq,
    },
    with: { outside: supersetFreq - subsetFreq, inside: subsetFreq, any: supersetFreq },
    outside: supersetSize - subsetSize,
    inside: subsetSize,
    all: supersetSize,
  };
}

/** Whether the term is rarer in the subset than elsewhere. */
function isNegative(table: Contingency): boolean {
  return table.with.inside / table.inside < table.with.outside / table.outside;
}

function mutualInformation(
  table: Contingency,
  { includesNegatives }: { readonly includesNegatives: boolean },
): number {
  const { without, with: having, outside, inside, all } = table;
  const score =
    (informationOf(without.outside, without.any, outside, all) +
      informationOf(without.inside, without.any, inside, all) +
      informationOf(having.outside, having.any, outside, all) +
      informationOf(having.inside, having.any, inside, all)) /
    Math.log(2);
  return !includesNegatives && isNegative(table) ? -Infinity : score;
}

const NOTHING = 1e-7;

function informationOf(cell: number, row: number, column: number, all: number): number {
  const numerator = Math.abs(all * cell);
  const factor = Math.abs(cell / all);
  if (numerator < NOTHING && factor < NOTHING) return 0;
  return factor * Math.log(numerator / Math.abs(row * column));
}

function chiSquare(
  table: Contingency,
  { includesNegatives }: { readonly includesNegatives: boolean },
): number {
  if (!includesNegatives && isNegative(table)) return -Infinity;
  const { without, with: having, outside, inside, all } = table;
  const difference = having.inside * without.outside - without.inside * having.outside;
  return (all * difference ** 2) / (inside * having.any * without.any * outside);
}

/** The distance that counts of search hits have been used for, turned round. */
function googleDistance({ with: having, inside, all }: Contingency): number {
  if (having.inside === 0) return 0;
  if (having.any === inside && having.any === having.inside) return 1;
  const one = Math.log(having.any);
  const other = Math.log(inside);
  const distance =
    (Math.max(one, other) - Math.log(having.inside)) / (Math.log(all) - Math.min(one, other));
  return Math.exp(-distance);
}
