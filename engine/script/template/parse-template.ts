// Mustache templates to trees. The tokens are those of the library `mustache`; what they mean is decided in
// render-template.ts, because the reference renders with a Java library that reads values its own way.

import { Writer } from 'mustache';
import { EngineError, illegalArgument } from '../../errors';

/** A piece of a template. */
export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly escaped: boolean }
  | {
      readonly kind: 'section';
      readonly path: readonly string[];
      /** Rendered where the value is missing. */
      readonly inverted: boolean;
      readonly inner: readonly TemplateNode[];
    };

/** UTF-16 units of a template. */
const MAX_LENGTH = 131_072;
/** Blanks in a row: the library looks through each row once for every blank in it. */
const MAX_BLANKS = 256;
/** Sections within sections. */
const MAX_DEPTH = 100;

/** Trees kept, most recently used last, and the units of their templates. */
const KEPT_UNITS = 1_048_576;
const kept = new Map<string, readonly TemplateNode[]>();
let keptUnits = 0;

/**
 * The tree of a template, from the cache if it was parsed before.
 *
 * @throws EngineError MustacheException (500) for tags that do not match,
 *         ElasticsearchIllegalArgumentException (400) for a template that is too large
 */
export function parseTemplate(source: string): readonly TemplateNode[] {
  const known = kept.get(source);
  if (known !== undefined) {
    kept.delete(source);
    kept.set(source, known);
    return known;
  }
  checkSize(source);
  const nodes = nodesOf(tokensOf(source), 0);
  keptUnits += source.length;
  kept.set(source, nodes);
  for (const [oldest] of kept) {
    if (keptUnits <= KEPT_UNITS) break;
    kept.delete(oldest);
    keptUnits -= oldest.length;
  }
  return nodes;
}

function checkSize(source: string): void {
  if (source.length > MAX_LENGTH) {
    throw illegalArgument(
      `template of [${source.length}] characters is longer than [${MAX_LENGTH}]`,
    );
  }
  let blanks = 0;
  for (let i = 0; i < source.length; i++) {
    blanks = isBlank(source.charCodeAt(i)) ? blanks + 1 : 0;
    if (blanks > MAX_BLANKS) {
      throw illegalArgument(`template has more than [${MAX_BLANKS}] blanks in a row`);
    }
  }
}

/** What regular expressions take for white space. */
function isBlank(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}

/** Kind, text, place, and for sections what is inside. */
type Token = readonly [kind: string, text: string, start: number, end: number, inner?: Token[]];

function tokensOf(source: string): readonly Token[] {
  const writer = new Writer();
  // It would keep every template for ever.
  (writer as { templateCache?: unknown }).templateCache = undefined;
  try {
    return writer.parse(source) as readonly Token[];
  } catch (error) {
    throw mismatch(error instanceof Error ? error.message : '');
  }
}

/** What the library finds wrong, as the reference puts it. */
function mismatch(problem: string): EngineError {
  const [, kind, name = ''] = /^(Unopened|Unclosed) section "([^]*)" at \d+$/.exec(problem) ?? [];
  if (kind === 'Unopened') {
    return mustacheError(`Mismatched start/end tags: null != ${name} in query-template:1`);
  }
  if (kind === 'Unclosed') return mustacheError(`Failed to close '${name}' tag at line 1`);
  if (problem.startsWith('Invalid tags')) return mustacheError('Invalid delimiter string');
  return mustacheError('Improperly closed variable in query-template:1');
}

/** The error of a template that cannot be used (500). */
export function mustacheError(message: string): EngineError {
  return new EngineError('MustacheException', message);
}

function nodesOf(tokens: readonly Token[], depth: number): readonly TemplateNode[] {
  if (depth > MAX_DEPTH)
    throw illegalArgument(`template sections nested deeper than [${MAX_DEPTH}]`);
  const nodes: TemplateNode[] = [];
  for (const token of tokens) {
    const [type, text, , , inside = []] = token;
    switch (type) {
      case 'text':
        nodes.push({ kind: 'text', text });
        break;
      case 'name':
      case '&':
        nodes.push({ kind: 'value', path: pathOf(text), escaped: type === 'name' });
        break;
      case '#':
      case '^': {
        const inner = nodesOf(inside, depth + 1);
        nodes.push({ kind: 'section', path: pathOf(text), inverted: type === '^', inner });
        break;
      }
      case '>':
        // There are no other templates to include: the reference looks for files.
        throw mustacheError(`Template '${text}' not found`);
      default:
        // Comments and changes of the delimiters, which the library has followed.
        break;
    }
  }
  return nodes;
}

/** `.` stands for the current value and has no path. */
function pathOf(name: string): readonly string[] {
  return name === '.' ? [] : name.split('.');
}
