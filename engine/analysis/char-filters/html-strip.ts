// html_strip: removes tags, comments, scripts and styles and decodes character references. What breaks
// a line leaves a line break behind, inline tags leave nothing. Text that only looks like markup stays.

import { characterEntitiesHtml4 } from 'character-entities-html4';
import type { ComponentSettings } from '../chain/component-settings';
import type { CharFilter } from '../chain/components';
import { OffsetMap } from './offset-map';

const INLINE_ELEMENTS: ReadonlySet<string> = new Set(
  (
    'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small ' +
    'span strike strong sub sup textarea tt u var'
  ).split(' '),
);

/** References by name; some may be written in capitals. A no-break space is read as a blank. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(characterEntitiesHtml4),
  ['nbsp', ' '],
  ['apos', "'"],
  ...['AMP', 'COPY', 'GT', 'LT', 'QUOT', 'REG'].map(
    (name) => [name, characterEntitiesHtml4[name.toLowerCase()] ?? name] as const,
  ),
]);

const SPACE = '[ \\t\\n\\r\\f\\v\\x85\\u2028\\u2029]';
const NAME = /[:_\p{ID_Start}][-.:\p{ID_Continue}]*/uy;
const SPACES = new RegExp(`${SPACE}*`, 'y');
const TAG_END = new RegExp(`${SPACE}*>`, 'y');
const PROCESSING_INSTRUCTION = /\?[^>]*[/?]>/y;
const SIMPLE_TAIL = new RegExp(`${SPACE}*/?>`, 'y');
const ATTRIBUTES_START = new RegExp(`=|${SPACE}`, 'y');
const EVENT_ATTRIBUTE = new RegExp(
  '[oO][nN](?:abort|blur|change|click|dblclick|error|focus|keydown|keypress|keyup|load|mousedown|mousemove|' +
    'mouseout|mouseover|mouseup|reset|select|submit|unload)' +
    `${SPACE}*=${SPACE}*(?=["'])`,
  'iy',
);
const NAMED_REFERENCE = /[A-Za-z][A-Za-z0-9]*/y;
const NUMERIC_REFERENCE = /#(?:[xX]([0-9A-Fa-f]+)|([0-9]+))/y;
const RAW_END: ReadonlyMap<string, RegExp> = new Map(
  ['script', 'style'].map((name) => [name, new RegExp(`</${SPACE}*${name}${SPACE}*>|<!--`, 'gi')]),
);
const COMMENT_EVENT = /-->|<!--#/g;
const INCLUDE_EVENT = /-->|'(?:\\[^]|[^'\\])*(?:'|$)|"(?:\\[^]|[^"\\])*(?:"|$)/g;
const RAW_COMMENT_EVENT = /-->|<!--#|'(?:\\[^]|[^'\\])*(?:'|$)|"(?:\\[^]|[^"\\])*(?:"|$)/g;
const BANG_EVENT = /--|>|\[CDATA\[/g;

/** From settings: `escaped_tags`, names of tags that stay. */
export function createHtmlStripCharFilter(name: string, settings: ComponentSettings): CharFilter {
  const escaped = new Set((settings.list('escaped_tags') ?? []).map((tag) => tag.toLowerCase()));
  return {
    name,
    applyTo: (text) => {
      if (!/[<&]/.test(text)) return { text, originalOffset: (offset) => offset };
      return new HtmlStripper(text, escaped).run();
    },
  };
}

/** The end of a match of a sticky pattern at `position`, or -1. */
function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function search(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

class HtmlStripper {
  readonly #offsets = new OffsetMap();
  #result = '';
  /** Everything before is in the result or dropped. */
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly escaped: ReadonlySet<string>,
  ) {}

  run(): ReturnType<OffsetMap['result']> {
    const { text } = this;
    const special = /[<&]/g;
    for (;;) {
      const found = search(special, text, this.#position);
      if (found === null) break;
      this.#keepTo(found.index);
      if (found[0] === '&') this.#reference(found.index);
      else this.#markup(found.index);
    }
    this.#keepTo(text.length);
    return this.#offsets.result(this.#result);
  }

  #keepTo(end: number): void {
    this.#result += this.text.slice(this.#position, end);
    this.#position = end;
  }

  /** Replaces everything up to `end` by something not longer. */
  #replaceTo(end: number, replacement: string): void {
    const shorter = end - this.#position - replacement.length;
    this.#result += replacement;
    this.#offsets.add(this.#result.length, this.#offsets.lastDifference + shorter);
    this.#position = end;
  }

  #reference(start: number): void {
    const { text } = this;
    const numeric = search(NUMERIC_REFERENCE, text, start + 1);
    if (numeric !== null) {
      const [all, hex, decimal] = numeric;
      const end = start + 1 + all.length;
      const isShort = hex === undefined ? decimal!.length <= 7 : hex.length <= 5;
      const codePoint = parseInt(hex ?? decimal!, hex === undefined ? 10 : 16);
      if (isShort && codePoint <= 0x10ffff && this.#isReferenceEnd(end)) {
        this.#replaceNumeric(end, codePoint);
        return;
      }
      this.#keepTo(end);
      return;
    }
    const named = search(NAMED_REFERENCE, text, start + 1);
    for (let { length } = named?.[0] ?? ''; length > 0; length--) {
      const value = ENTITIES.get(text.slice(start + 1, start + 1 + length));
      if (value === undefined) continue;
      const end = start + 1 + length;
      if (this.#isReferenceEnd(end)) this.#replaceTo(Math.min(end + 1, text.length), value);
      else this.#keepTo(end);
      return;
    }
    this.#keepTo(start + 1);
  }

  /** A reference ends in a semicolon, or with the text. */
  #isReferenceEnd(end: number): boolean {
    return end === this.text.length || this.text[end] === ';';
  }

  #replaceNumeric(end: number, codePoint: number): void {
    const after = Math.min(end + 1, this.text.length);
    if (codePoint < 0xd800 || codePoint > 0xdfff) {
      this.#replaceTo(after, String.fromCodePoint(codePoint));
      return;
    }
    // Two references that make a surrogate pair are one character; half of a pair is none.
    const low = this.text[after] === '&' ? search(NUMERIC_REFERENCE, this.text, after + 1) : null;
    const unit = low === null ? 0 : parseInt(low[1] ?? low[2]!, low[1] === undefined ? 10 : 16);
    const lowEnd = after + 1 + (low?.[0].length ?? 0);
    if (codePoint < 0xdc00 && unit >= 0xdc00 && unit <= 0xdfff && this.text[lowEnd] === ';') {
      this.#replaceTo(lowEnd + 1, String.fromCharCode(codePoint, unit));
    } else {
      this.#replaceTo(after, '\ufffd');
    }
  }

  #markup(start: number): void {
    const { text } = this;
    const next = text[start + 1];
    if (next === '!') {
      this.#declaration(start + 2);
    } else if (next === '/') {
      this.#endTag(start + 2);
    } else if (next === '?') {
      const end = matchEnd(PROCESSING_INSTRUCTION, text, start + 1);
      if (end < 0) this.#keepTo(start + 1);
      else this.#replaceTo(end, '');
    } else {
      this.#startTag(start + 1);
    }
  }

  #startTag(start: number): void {
    const { text } = this;
    const nameStart = matchEnd(SPACES, text, start);
    const nameEnd = matchEnd(NAME, text, nameStart);
    if (nameEnd < 0) {
      this.#keepTo(nameStart);
      return;
    }
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    const end = this.#tagEnd(nameEnd);
    const rawEnd = text[nameEnd] === '/' || text[nameEnd] === '=' ? undefined : RAW_END.get(name);
    if (end < 0) {
      this.#unfinishedTag(nameEnd, name);
    } else if (rawEnd !== undefined) {
      if (this.escaped.has(name)) this.#keepTo(end);
      this.#rawText(end, name, rawEnd);
    } else {
      this.#tag(end, name);
    }
  }

  #tag(end: number, name: string): void {
    // compat: an end tag of a script that no start tag belongs to does not stay.
    if (this.escaped.has(name) && !RAW_END.has(name)) this.#keepTo(end);
    else this.#replaceTo(end, INLINE_ELEMENTS.has(name) ? '' : '\n');
  }

  /** compat: a tag that the end of the text cuts off behind its name is removed; any other is text. */
  #unfinishedTag(nameEnd: number, name: string): void {
    const isEscaped = this.escaped.has(name) && name !== 'br' && !RAW_END.has(name);
    if (nameEnd < this.text.length || isEscaped) this.#keepTo(nameEnd);
    else this.#replaceTo(nameEnd, '');
  }

  #endTag(start: number): void {
    const { text } = this;
    const nameStart = matchEnd(SPACES, text, start);
    const nameEnd = matchEnd(NAME, text, nameStart);
    if (nameEnd < 0) {
      this.#keepTo(nameStart);
      return;
    }
    const end = matchEnd(TAG_END, text, nameEnd);
    const name = text.slice(nameStart, nameEnd).toLowerCase();
    if (end < 0) this.#unfinishedTag(nameEnd, name);
    else this.#tag(end, name);
  }

  /** The end of the tag whose name ends at `position`, or -1 when it is none. */
  #tagEnd(position: number): number {
    const { text } = this;
    const simple = matchEnd(SIMPLE_TAIL, text, position);
    if (simple >= 0) return simple;
    position = matchEnd(ATTRIBUTES_START, text, position);
    if (position < 0) return -1;
    while (position < text.length) {
      const char = text[position]!;
      if (char === '>') return position + 1;
      if (char === '<') {
        const includeEnd = text.startsWith('<!--#', position) ? this.#includeEnd(position + 5) : -1;
        if (includeEnd < 0) return -1;
        position = includeEnd;
        continue;
      }
      position = this.#attributeEnd(position);
    }
    return -1;
  }

  /** Behind an event attribute, whose value may hold angle brackets, or else behind one unit. */
  #attributeEnd(position: number): number {
    const quote = matchEnd(EVENT_ATTRIBUTE, this.text, position);
    if (quote >= 0) {
      const end = this.text.indexOf(this.text[quote]!, quote + 1);
      if (end >= 0) return end + 1;
    }
    return position + 1;
  }

  /** The end of a server-side include, or -1. */
  #includeEnd(position: number): number {
    for (let found = search(INCLUDE_EVENT, this.text, position); found !== null;) {
      const end = found.index + found[0].length;
      if (found[0] === '-->') return end;
      found = search(INCLUDE_EVENT, this.text, end);
    }
    return -1;
  }

  /** Drops a script or style sheet with its end tag. */
  #rawText(start: number, name: string, rawEnd: RegExp): void {
    const { text } = this;
    let position = start;
    for (;;) {
      const found = search(rawEnd, text, position);
      if (found === null) {
        this.#replaceTo(text.length, '');
        return;
      }
      const end = found.index + found[0].length;
      if (found[0] === '<!--') {
        position = this.#commentEnd(end, RAW_COMMENT_EVENT);
        continue;
      }
      if (this.escaped.has(name)) {
        this.#replaceTo(found.index, '');
        this.#keepTo(end);
      } else {
        this.#replaceTo(end, '\n');
      }
      return;
    }
  }

  /** The end of a comment, in which includes may hide its end; the end of the text when there is none. */
  #commentEnd(position: number, event: RegExp): number {
    for (let found = search(event, this.text, position); found !== null;) {
      let end = found.index + found[0].length;
      if (found[0] === '-->') return end;
      if (found[0] === '<!--#') end = this.#includeEnd(end);
      if (end < 0) break;
      found = search(event, this.text, end);
    }
    return this.text.length;
  }

  /** `<!...>`, comments and CDATA sections. */
  #declaration(start: number): void {
    const { text } = this;
    const found = search(BANG_EVENT, text, start);
    if (found === null) {
      this.#keepTo(text.length);
      return;
    }
    const end = found.index + found[0].length;
    if (found[0] === '>') {
      this.#replaceTo(end, '');
    } else if (found[0] === '--') {
      const commentEnd = this.#commentEnd(end, COMMENT_EVENT);
      // compat: a comment in a declaration must end; any other may run to the end of the text.
      const isText = found.index > start && !text.endsWith('-->', commentEnd);
      if (isText) this.#keepTo(text.length);
      else this.#replaceTo(commentEnd, '');
    } else {
      this.#replaceTo(end, '');
      const close = text.indexOf(']]>', end);
      this.#keepTo(close < 0 ? text.length : close);
      if (close >= 0) this.#replaceTo(close + 3, '');
    }
  }
}
