// Regular expressions as OpenSearch reads them. It takes letters behind a backslash for classes and reads
// other signs as operators, so that an expression is written anew from what it was parsed to.

import { parseRegexp, type RegexpNode } from '../../query/index';

const MAX_CODE_POINT = 0x10ffff;

/** The expression as OpenSearch reads it, all operators allowed. @throws EngineError for errors of syntax */
export function regexpText(pattern: string, flags: number): string {
  return textOf(parseRegexp(pattern, flags));
}

/** An expression for a text and nothing else. */
export function literalText(text: string): string {
  return Array.from(text, (character) => escaped(character.codePointAt(0)!)).join('');
}

function textOf(node: RegexpNode): string {
  switch (node.kind) {
    case 'union':
      return `(${node.parts.map(textOf).join('|')})`;
    case 'intersection':
      return `(${node.parts.map(textOf).join('&')})`;
    case 'concat':
      return node.parts.length === 0 ? '()' : `(${node.parts.map(textOf).join('')})`;
    case 'repeat':
      return `(${textOf(node.part)}){${node.min},${node.max ?? ''}}`;
    case 'complement':
      return `(~(${textOf(node.part)}))`;
    case 'characters':
      return charactersText(node.ranges);
    case 'nothing':
      return '#';
    case 'interval': {
      const low = String(node.min).padStart(node.digits, '0');
      const high = String(node.max).padStart(node.digits, '0');
      // With bounds of one length it would ask for that length.
      if (node.digits === 0 && low.length === high.length) return `(0*<${low}-${high}>)`;
      return `<${low}-${high}>`;
    }
  }
}

function charactersText(ranges: readonly (readonly [number, number])[]): string {
  if (ranges.length === 0) return '#';
  const [only] = ranges;
  if (ranges.length === 1 && only![0] === 0 && only![1] === MAX_CODE_POINT) return '.';
  if (ranges.length === 1 && only![0] === only![1]) return escaped(only![0]);
  const parts = ranges.map(([from, to]) =>
    from === to ? escaped(from) : `${escaped(from)}-${escaped(to)}`,
  );
  return `[${parts.join('')}]`;
}

/** Letters and digits as they are: a backslash would make some of them classes. */
function escaped(point: number): string {
  const character = String.fromCodePoint(point);
  return /^[\p{L}\p{N}\p{M}]$/u.test(character) || point > 0x7f ? character : `\\${character}`;
}
