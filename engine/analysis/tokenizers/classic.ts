// The classic tokenizer: the grammar that came before Unicode's word boundaries. It knows host names,
// e-mail addresses, acronyms, companies such as AT&T, and numbers with letters.
//
// A token is made of runs of letters and digits with single separators between them; of the kinds that
// match at a place the longest wins, and the earlier one of TYPES among equals.

import { greatestOf } from '../../common/index';
import type { Tokenizer, TokenVisitor } from '../chain/components';
import type { ComponentSettings } from '../chain/component-settings';
import { DEFAULT_MAX_TOKEN_LENGTH } from './standard';

const IDEOGRAPH =
  /[\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u3300-\u337f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff65-\uff9f]/;
const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
/** Thai vowels and tone marks, which only plain words contain. */
const MARK = 3;
const IDEOGRAPHIC = 4;

/** The class of every UTF-16 unit; the grammar knows no characters beyond. */
const CLASSES = new Uint8Array(0x10000);
for (let unit = 0; unit < 0x10000; unit++) {
  const char = String.fromCharCode(unit);
  if (IDEOGRAPH.test(char)) CLASSES[unit] = IDEOGRAPHIC;
  else if (/\p{L}/u.test(char)) CLASSES[unit] = LETTER;
  else if (/\p{Nd}/u.test(char)) CLASSES[unit] = DIGIT;
  else if (unit >= 0x0e00 && unit <= 0x0e59) CLASSES[unit] = MARK;
}

const isWordUnit = (text: string, at: number): boolean => {
  const unitClass = at < text.length ? CLASSES[text.charCodeAt(at)]! : OTHER;
  return unitClass !== OTHER && unitClass !== IDEOGRAPHIC;
};

function runEnd(text: string, start: number): number {
  let end = start;
  while (isWordUnit(text, end)) end++;
  return end;
}

function lettersEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && CLASSES[text.charCodeAt(end)] === LETTER) end++;
  return end;
}

/** Whether a digit stands in a run, with nothing but letters before it. */
function hasDigit(text: string, start: number, end: number): boolean {
  const digit = lettersEnd(text, start);
  return digit < end && CLASSES[text.charCodeAt(digit)] === DIGIT;
}

/** The end of `run (separator run)*` behind `end`, the end of the first run. */
function chainEnd(text: string, end: number, separators: string): number {
  while (separators.includes(text.charAt(end)) && isWordUnit(text, end + 1)) {
    end = runEnd(text, end + 1);
  }
  return end;
}

/** The end of the longest `letters(mark letters)+`, at most `times` of them; `start` when there is none. */
function joinedLetters(text: string, start: number, marks: string, times: number): number {
  let end = lettersEnd(text, start);
  for (let i = 0; i < times; i++) {
    if (end === start || end >= text.length || !marks.includes(text.charAt(end))) break;
    const next = lettersEnd(text, end + 1);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

/** The end of `run.(run.)+` with single letters for runs when `single`; `start` when there is none. */
function dottedEnd(text: string, start: number, single: boolean): number {
  let end = start;
  let count = 0;
  for (let at = start; isWordUnit(text, at); count++) {
    const next = single ? lettersEnd(text, at) : runEnd(text, at);
    if (text.charAt(next) !== '.' || (single && next !== at + 1)) break;
    at = end = next + 1;
  }
  return count >= 2 ? end : start;
}

/** The end of a chain of runs of which every other one has a digit, the first of them at `digitsAt`. */
function numberEnd(text: string, start: number, firstEnd: number, digitsAt: 0 | 1): number {
  if (digitsAt === 0 && !hasDigit(text, start, firstEnd)) return start;
  let end = firstEnd;
  for (let i = 1; end < text.length && '_-/.,'.includes(text.charAt(end)); i++) {
    const next = runEnd(text, end + 1);
    if (next === end + 1 || (i % 2 === digitsAt && !hasDigit(text, end + 1, next))) break;
    end = next;
  }
  return end === firstEnd ? start : end;
}

/** Kinds in the order of their precedence. */
const TYPES = [
  '<ALPHANUM>',
  '<APOSTROPHE>',
  '<ACRONYM>',
  '<COMPANY>',
  '<EMAIL>',
  '<HOST>',
  '<NUM>',
] as const;

/** Finds e-mail addresses; remembers where the last chain ended, so that no chain is read twice. */
class EmailFinder {
  #localEnd = -1;
  #end = -1;

  constructor(private readonly text: string) {}

  /** The end of the address whose local part starts at `start`, or -1. */
  end(start: number, firstEnd: number): number {
    if (start < this.#localEnd) return this.#end;
    const { text } = this;
    this.#localEnd = chainEnd(text, firstEnd, '.-_');
    this.#end = -1;
    if (text.charAt(this.#localEnd) !== '@') return -1;
    const host = this.#localEnd + 1;
    const hostEnd = runEnd(text, host);
    const end = hostEnd === host ? hostEnd : chainEnd(text, hostEnd, '.-');
    if (end > hostEnd) this.#end = end;
    return this.#end;
  }
}

class ClassicTokenizer implements Tokenizer {
  readonly name = 'classic';

  constructor(private readonly maxTokenLength: number) {}

  scan(text: string, visit: TokenVisitor): void {
    const emails = new EmailFinder(text);
    let increment = 1;
    for (let start = 0; start < text.length;) {
      const unitClass = CLASSES[text.charCodeAt(start)]!;
      if (unitClass === OTHER) {
        start++;
        continue;
      }
      let end = start + 1;
      let termEnd = end;
      let type = '<CJ>';
      if (unitClass !== IDEOGRAPHIC) ({ end, termEnd, type } = longest(text, start, emails));
      if (end - start > this.maxTokenLength) {
        increment++;
      } else {
        visit(text.slice(start, termEnd), start, end, increment, type);
        increment = 1;
      }
      start = end;
    }
  }
}

function longest(
  text: string,
  start: number,
  emails: EmailFinder,
): { end: number; termEnd: number; type: string } {
  const firstEnd = runEnd(text, start);
  const ends = [
    firstEnd,
    joinedLetters(text, start, "'", Infinity),
    dottedEnd(text, start, true),
    joinedLetters(text, start, '&@', 1),
    emails.end(start, firstEnd),
    chainEnd(text, firstEnd, '.'),
    Math.max(numberEnd(text, start, firstEnd, 0), numberEnd(text, start, firstEnd, 1)),
  ];
  const end = greatestOf(ends);
  const dotted = dottedEnd(text, start, false);
  // A host name that ends a sentence: the dot is consumed and not part of the term.
  if (dotted > end) return { end: dotted, termEnd: dotted - 1, type: '<HOST>' };
  return { end, termEnd: end, type: TYPES[ends.indexOf(end)]! };
}

/** From settings: `max_token_length`; longer tokens are left out. */
export function createClassicTokenizer(_name: string, settings: ComponentSettings): Tokenizer {
  return new ClassicTokenizer(settings.integer('max_token_length', DEFAULT_MAX_TOKEN_LENGTH));
}
