// path_hierarchy: a path and the paths above it, all at one position.

import { illegalArgument } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import type { Tokenizer, TokenVisitor } from '../chain/components';
import { fault } from '../chain/fault';

/**
 * From settings: `delimiter` (`/`), `replacement` (the delimiter), `skip` (0; delimiters at the beginning,
 * or at the end when reversed), `reverse` (false: `/a`, `/a/b`; true: `/a/b`, `a/b`, `b`).
 * @throws EngineError ElasticsearchIllegalArgumentException when one is longer than a character
 */
export function createPathHierarchyTokenizer(name: string, settings: ComponentSettings): Tokenizer {
  const delimiter = oneChar(settings, 'delimiter') ?? '/';
  const replacement = oneChar(settings, 'replacement') ?? delimiter;
  const skip = settings.integer('skip', 0);
  const wrong = skip < 0 ? fault('skip', 'skip cannot be negative') : undefined;
  const scan = settings.boolean('reverse', false) ? scanReverse : scanForward;
  const options = { delimiter, replacement, skip: Math.max(0, skip) };
  return {
    name,
    fault: wrong && { ...wrong, isHarmless: true },
    // Every character a delimiter.
    expand: ({ units }) => ({ tokens: units, units: (units * units) / 2, longest: units }),
    scan: (text, visit) => scan(text, options, visit),
  };
}

function oneChar(settings: ComponentSettings, option: string): string | undefined {
  const text = settings.text(option);
  if (text !== undefined && text.length !== 1) {
    throw illegalArgument(`${option} can only be a one char value`);
  }
  return text;
}

interface PathOptions {
  readonly delimiter: string;
  readonly replacement: string;
  readonly skip: number;
}

function scanForward(text: string, options: PathOptions, visit: TokenVisitor): void {
  const { delimiter, replacement, skip } = options;
  const path = text.replaceAll(delimiter, replacement);
  // The first parts are skipped; a delimiter at the very beginning is no part's end.
  let start = 0;
  for (let skipped = 0; skipped < skip; skipped++) {
    const from = start === 0 || text[start] === delimiter ? start + 1 : start;
    const next = text.indexOf(delimiter, from);
    if (next < 0) return;
    start = next;
  }
  let increment = 1;
  for (let end = start; end < text.length;) {
    const next = text.indexOf(delimiter, end + 1);
    end = next < 0 ? text.length : next;
    visit(path.slice(start, end), start, end, increment, 'word');
    increment = 0;
  }
}

function scanReverse(text: string, options: PathOptions, visit: TokenVisitor): void {
  const { delimiter, replacement, skip } = options;
  if (text.length === 0) return;
  const path = text.replaceAll(delimiter, replacement);
  const starts = [0];
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    starts.push(at + 1);
  }
  // A delimiter at the end begins no part.
  if (starts.at(-1) !== text.length) starts.push(text.length);
  const last = starts.length - 1 - skip;
  if (last < 0) return;
  const end = starts[last]!;
  let increment = 1;
  for (const start of starts.slice(0, last)) {
    visit(path.slice(start, end), start, end, increment, 'word');
    increment = 0;
  }
}
