// Which operators of `simple_query_string` count; the characters of the others are text (reference server).

import { illegalArgument } from '../../../errors';

/** Operators as bits. */
export const FLAG = {
  and: 1 << 0,
  not: 1 << 1,
  or: 1 << 2,
  prefix: 1 << 3,
  phrase: 1 << 4,
  precedence: 1 << 5,
  escape: 1 << 6,
  whitespace: 1 << 7,
  fuzzy: 1 << 8,
  near: 1 << 9,
} as const;

/** All operators. */
export const ALL_FLAGS = -1;

const BY_NAME: ReadonlyMap<string, number> = new Map([
  ['ALL', ALL_FLAGS],
  ['NONE', 0],
  ['AND', FLAG.and],
  ['NOT', FLAG.not],
  ['OR', FLAG.or],
  ['PREFIX', FLAG.prefix],
  ['PHRASE', FLAG.phrase],
  ['PRECEDENCE', FLAG.precedence],
  ['ESCAPE', FLAG.escape],
  ['WHITESPACE', FLAG.whitespace],
  ['FUZZY', FLAG.fuzzy],
  ['NEAR', FLAG.near],
  ['SLOP', FLAG.near],
]);

/**
 * The operators of a text such as `AND|OR|PREFIX`.
 * @throws EngineError ElasticsearchIllegalArgumentException for a name of none
 */
export function parseFlags(text: string): number {
  if (text === '') return ALL_FLAGS;
  let flags = 0;
  for (const name of text.split('|')) {
    if (name === '') continue;
    const flag = BY_NAME.get(name.toUpperCase());
    if (flag === undefined) throw illegalArgument(`Unknown simple_query_string flag [${name}]`);
    if (flag === 0 || flag === ALL_FLAGS) return flag;
    flags |= flag;
  }
  return flags;
}
