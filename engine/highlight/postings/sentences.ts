// Where the sentences of a text begin, by the rules of the reference's runtime (Java's sentence iterator of
// the root locale), which differ from those of Unicode: line ends are blanks, and after a period a sentence
// begins only with what looks like a beginning.
//
// - Always after a paragraph separator, and after the blanks behind a danda.
// - After `!`, `?` and the like: behind further terminators, closing punctuation, blanks, and one paragraph
//   separator.
// - After a period: behind further periods and closing punctuation, if either blanks and a letter that is not
//   lower-case follow, or opening punctuation and symbols and then any letter.
// Marks and invisible characters belong to what they follow.

import { tick } from '../../common/index';

const IGNORED = /[\p{Mn}\p{Me}\p{Cf}]/u;
const LETTER = /\p{L}/u;
const LOWER = /\p{Ll}/u;
const DIGIT = /\p{N}/u;
const OPENING = /[\p{Ps}\p{Pi}"']/u;
const CLOSING = /[\p{Pe}\p{Pf}"']/u;
const BLANK = /[\t\r\f\n\u2028\p{Zs}]/u;

/** Classes of characters; a character may be of several. */
const Class = {
  Other: 0,
  Ignored: 1,
  Letter: 2,
  Lower: 4,
  Opening: 8,
  Closing: 16,
  Blank: 32,
  Term: 64,
  Period: 128,
  Danda: 256,
  Paragraph: 512,
  /** May stand between a period and the letter that begins a sentence. */
  Symbol: 1024,
} as const;

function classify(character: string): number {
  switch (character) {
    case '!':
    case '?':
    case '\u3002':
    case '\uff01':
    case '\uff1f':
      return Class.Term;
    case '.':
    case '\uff0e':
      return Class.Period;
    case '\u2029':
      return Class.Paragraph;
    case ',':
      return Class.Other;
    case '\u0964':
    case '\u0965':
      return Class.Danda;
  }
  if (IGNORED.test(character)) return Class.Ignored;
  if (LETTER.test(character))
    return LOWER.test(character) ? Class.Letter | Class.Lower : Class.Letter;
  let found: number = Class.Other;
  if (OPENING.test(character)) found |= Class.Opening;
  if (CLOSING.test(character)) found |= Class.Closing;
  if (BLANK.test(character)) found |= Class.Blank;
  if (found === 0 && !DIGIT.test(character)) found = Class.Symbol;
  return found;
}

const ASCII = Uint16Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)));

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit < 128 ? ASCII[unit]! : classify(String.fromCodePoint(text.codePointAt(at)!));
}

function lengthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}

/** The ends of the sentences of a text, ascending; the last is its length. Empty for an empty text. */
export function sentenceEnds(text: string): readonly number[] {
  const ends: number[] = [];
  let at = 0;
  while (at < text.length) {
    const here = classAt(text, at);
    at += lengthAt(text, at);
    tick();
    if ((here & (Class.Term | Class.Period | Class.Danda | Class.Paragraph)) === 0) continue;
    if (here === Class.Paragraph) {
      ends.push(at);
    } else if (here === Class.Danda) {
      at = skip(text, at, Class.Blank);
      ends.push(at);
    } else if (here === Class.Term) {
      at = skip(text, at, Class.Term | Class.Period | Class.Closing);
      at = skip(text, at, Class.Blank);
      if (at < text.length && classAt(text, at) === Class.Paragraph) at++;
      ends.push(at);
    } else {
      at = endPeriod(text, at, ends);
    }
  }
  if (text.length > 0 && ends[ends.length - 1] !== text.length) ends.push(text.length);
  return ends;
}

/** Behind characters of some classes, and what belongs to them. */
function skip(text: string, from: number, classes: number): number {
  let at = from;
  while (at < text.length && (classAt(text, at) & (classes | Class.Ignored)) !== 0) {
    at += lengthAt(text, at);
  }
  return at;
}

/** Adds the end of a sentence that a period may be; returns where to go on. */
function endPeriod(text: string, from: number, ends: number[]): number {
  const closed = skip(text, from, Class.Period | Class.Closing);
  const at = skip(text, closed, Class.Blank);
  if (at === text.length) return at;
  const next = classAt(text, at);
  let isEnd: boolean;
  if ((next & Class.Letter) !== 0) {
    // A quotation mark that closes may as well be the one that opens.
    const isOpen =
      at === closed && closed > from && (lastClass(text, closed) & Class.Opening) !== 0;
    isEnd = isOpen || (at > closed && (next & Class.Lower) === 0);
  } else {
    const letter = skip(text, at, Class.Opening | Class.Symbol);
    if (letter === text.length) {
      endEachPeriod(text, from, closed, ends);
      return closed;
    }
    isEnd = letter > at && (classAt(text, letter) & Class.Letter) !== 0;
  }
  if (isEnd) ends.push(at);
  return at;
}

/** compat: before nothing but symbols each period is a sentence. @param from behind the first one */
function endEachPeriod(text: string, from: number, closed: number, ends: number[]): void {
  for (let end = from; end <= closed; end++) {
    if ((classAt(text, end - 1) & Class.Period) === 0) continue;
    if (end > 1 && ends[ends.length - 1] !== end - 1) ends.push(end - 1);
    ends.push(end);
  }
}

function lastClass(text: string, end: number): number {
  let at = end;
  while (at > 0) {
    at--;
    const here = classAt(text, at);
    if ((here & Class.Ignored) === 0) return here;
  }
  return Class.Other;
}
