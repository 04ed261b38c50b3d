// The mapping character filter: replaces texts by others before the tokenizer sees them.

import { EngineError, illegalArgument } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import type { CharFilter, FilteredText } from '../chain/components';
import type { TokenBudget } from '../chain/token-budget';
import { multiplied } from '../chain/volume';
import { ReplacedText } from './replaced-text';

/**
 * From settings: `mappings`, a list of rules `from=>to`; the longest match wins, `to` may be empty.
 * @throws EngineError ElasticsearchIllegalArgumentException without rules, RuntimeException for a rule
 *   that cannot be read.
 */
export function* createMappingCharFilter(
  name: string,
  settings: ComponentSettings,
): Generator<void, CharFilter> {
  settings.refusePath('mappings_path');
  const rules = settings.list('mappings');
  if (rules === undefined) {
    throw illegalArgument('mapping requires either `mappings` or `mappings_path` to be configured');
  }
  const replacements = new Map<string, string>();
  for (const rule of rules) {
    const arrow = rule.lastIndexOf('=>');
    if (arrow < 0) throw new EngineError('RuntimeException', `Invalid Mapping Rule : [${rule}]`);
    const from = unescape(rule.slice(0, arrow).trim());
    if (from === '' || replacements.has(from)) {
      const reason =
        from === '' ? 'cannot match the empty string' : `match "${from}" was already added`;
      throw new EngineError('IllegalArgumentException', reason);
    }
    replacements.set(from, unescape(rule.slice(arrow + 2).trim()));
    yield;
  }
  // Candidate lengths by first unit, longest first: one look-up per position for texts without a match.
  const lengths = new Map<number, number[]>();
  for (const from of replacements.keys()) {
    const unit = from.charCodeAt(0);
    const known = lengths.get(unit);
    if (known === undefined) lengths.set(unit, [from.length]);
    else if (!known.includes(from.length)) known.push(from.length);
    yield;
  }
  for (const known of lengths.values()) known.sort((a, b) => b - a);
  let growth = 1;
  for (const [from, to] of replacements) {
    growth = Math.max(growth, to.length / from.length);
    yield;
  }
  return {
    name,
    expand: growth > 1 ? multiplied(growth) : undefined,
    applyTo: (text, budget) => replaceAll(text, replacements, lengths, budget),
  };
}

function replaceAll(
  text: string,
  replacements: ReadonlyMap<string, string>,
  lengths: ReadonlyMap<number, readonly number[]>,
  budget: TokenBudget | undefined,
): FilteredText {
  const result = new ReplacedText(text);
  let position = 0;
  while (position < text.length) {
    const match = (lengths.get(text.charCodeAt(position)) ?? []).find(
      (length) =>
        position + length <= text.length &&
        replacements.has(text.slice(position, position + length)),
    );
    if (match === undefined) {
      position++;
      continue;
    }
    const put = replacements.get(text.slice(position, position + match)) ?? '';
    if (put.length > match) budget?.spendText(put.length - match);
    result.replace(position, position + match, put);
    position += match;
  }
  return result.result();
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** @throws EngineError RuntimeException for an escape that is cut off. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(u[0-9a-fA-F]{4}|[^]|$)/g, (_match, escape: string) => {
    if (escape === '')
      throw new EngineError('RuntimeException', `Invalid escaped char in [${text}]`);
    if (escape.length > 1) return String.fromCharCode(parseInt(escape.slice(1), 16));
    return ESCAPES.get(escape) ?? escape;
  });
}
