// Mistakes in what was typed, told so that they can be mended: the language of query strings is rich, and
// what its parser says is about tokens.

import type { Field } from './fields';

/** Something about a query text. */
export interface Remark {
  /** What is wrong, or odd. */
  readonly text: string;
  /** The text without it; null: unknown. */
  readonly correction: string | null;
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** What keeps a text from being read as a query. */
export function mistakesIn(text: string): Remark[] {
  const remarks: Remark[] = [];
  const open: { readonly sign: string; readonly at: number }[] = [];
  let quote = -1;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]!;
    if (sign === '\\') {
      i++;
    } else if (sign === '"') {
      quote = quote < 0 ? i : -1;
    } else if (quote < 0) {
      if (sign in CLOSING) open.push({ sign, at: i });
      else if (sign === ')' || sign === ']' || sign === '}') {
        const last = open.pop();
        // [1 TO 5} is a range without its end.
        const isClosed =
          last !== undefined && (CLOSING[last.sign] === sign || isRange(last.sign, sign));
        if (isClosed) continue;
        if (last !== undefined) open.push(last);
        remarks.push({
          text: `“${sign}” at position ${i + 1} closes nothing.`,
          correction: text.slice(0, i) + text.slice(i + 1),
        });
      }
    }
  }
  if (quote >= 0) {
    remarks.push({ text: 'A quotation mark is not closed.', correction: `${text}"` });
  } else if (open.length > 0) {
    const closing = open
      .map(({ sign }) => CLOSING[sign])
      .reverse()
      .join('');
    remarks.push({
      text: `“${open.map(({ sign }) => sign).join('')}” is not closed.`,
      correction: text + closing,
    });
  }
  const dangling = /(?:^|\s)(AND|OR|NOT|&&|\|\||[!+-])\s*$/.exec(text);
  if (dangling !== null) {
    remarks.push({
      text: `A word is missing behind “${dangling[1]}”.`,
      correction: text.slice(0, dangling.index).trimEnd(),
    });
  }
  const leading = /^\s*(AND|OR|&&|\|\|)\s+/.exec(text);
  if (leading !== null && leading[0].length < text.length) {
    remarks.push({
      text: `A word is missing before “${leading[1]}”.`,
      correction: text.slice(leading[0].length),
    });
  }
  const twice = /\b(AND|OR)\s+(AND|OR)\b/.exec(text);
  if (twice !== null) {
    remarks.push({
      text: `“${twice[1]} ${twice[2]}” stand in a row.`,
      correction: text.replace(twice[0], twice[2]!),
    });
  }
  const valueless = /([\p{L}\w.]+):(?=\s*(?:$|\)|AND\b|OR\b))/u.exec(text);
  if (valueless !== null) {
    remarks.push({
      text: `A value is missing behind “${valueless[0]}”. To search for a colon write “\\:”.`,
      correction: text.replace(valueless[0], valueless[1]!),
    });
  }
  const slashes = withoutQuotes(text).match(/(?<!\\)\//g)?.length ?? 0;
  if (slashes % 2 === 1) {
    remarks.push({
      text: 'A single “/” begins a regular expression. To search for it write “\\/”.',
      correction: text.replace(/(?<!\\)\//g, '\\/'),
    });
  }
  return remarks;
}

function isRange(opening: string, closing: string): boolean {
  return '[{'.includes(opening) && ']}'.includes(closing);
}

function withoutQuotes(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"?/g, '');
}

/** What is read, but perhaps not as it was meant: unknown fields, and operators in small letters. */
export function oddities(text: string, fields: readonly Field[]): Remark[] {
  const remarks: Remark[] = [];
  const bare = withoutQuotes(text);
  const known = fields.map(({ path }) => path);
  for (const [, name = ''] of bare.matchAll(/(?<![\\\p{L}\w.])([\p{L}_][\p{L}\w.]*):(?=\S)/gu)) {
    if (
      known.includes(name) ||
      SPECIAL.includes(name) ||
      known.some((one) => one.endsWith(`.${name}`))
    )
      continue;
    const near = nearest(name, known);
    remarks.push({
      text: `There is no field “${name}”${near === null ? '.' : `; did you mean “${near}”?`}`,
      correction: near === null ? null : text.replace(`${name}:`, `${near}:`),
    });
  }
  const small = /\s(and|or|not)\s/.exec(bare);
  if (small !== null) {
    const word = small[1]!;
    remarks.push({
      text: `“${word}” is searched for as a word; operators are written in capitals.`,
      correction: text.replace(small[0], ` ${word.toUpperCase()} `),
    });
  }
  return remarks;
}

const SPECIAL = ['_all', '_id', '_type', '_exists_', '_missing_', '_index', '_uid', '_source'];

/** The known name that is nearest to a misspelt one, if any is near. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.ceil(name.length / 3) + 1;
  for (const one of known) {
    const distance = editDistance(name.toLowerCase(), one.toLowerCase(), least);
    if (distance < least) [best, least] = [one, distance];
  }
  return best;
}

/** Insertions, deletions and substitutions; `limit` where there are as many or more. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + change));
    }
    above = row;
  }
  return Math.min(limit, above[b.length]!);
}

/** The text as plain words, every sign of the language escaped. */
export function asPlainWords(text: string): string {
  return text
    .replace(/[+\-=&|!(){}[\]^"~*?:\\/]/g, '\\$&')
    .replace(/[<>]/g, ' ')
    .replace(/\b(AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .trim();
}

/** The innermost reason of an error of a search. */
export function innermostReason(message: string): string {
  const reasons = [...message.matchAll(/(?:^|nested: )(\w+(?:Exception|Error))\[/g)];
  const last = reasons.at(-1);
  if (last === undefined) return message;
  const text = message.slice(last.index + last[0].length).replace(/\]*; *\}?\]?$|\]+$/, '');
  return text.split('\nWas expecting')[0]!.trim() || last[1]!;
}
