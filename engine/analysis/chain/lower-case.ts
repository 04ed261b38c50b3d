// Lower case per code point, as the reference has it: no context rules (a final sigma stays σ), one
// character for one character (İ becomes i).

/** `term` in lower case; the same string when nothing changes. */
export function lowerCase(term: string): string {
  let capitals = false;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    if (unit > 0x7f) return lowerCaseUnicode(term);
    if (unit >= 0x41 && unit <= 0x5a) capitals = true;
  }
  return capitals ? term.toLowerCase() : term;
}

function lowerCaseUnicode(term: string): string {
  // The two characters for which String.prototype.toLowerCase applies more than a simple mapping.
  if (!/[\u0130\u03a3]/.test(term)) return term.toLowerCase();
  return term.replace(/[^\u0130\u03a3]+|\u0130|\u03a3/g, (part) => {
    if (part === '\u0130') return 'i';
    return part === '\u03a3' ? '\u03c3' : part.toLowerCase();
  });
}

/** `term` in upper case per code point: characters whose capital form is longer (ß) stay. */
export function upperCase(term: string): string {
  if (/^[\0-\x7f]*$/.test(term)) return term.toUpperCase();
  let result = '';
  for (const character of term) {
    const upper = character.toUpperCase();
    result += upper.length === character.length && isOneCodePoint(upper) ? upper : character;
  }
  return result;
}

function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && text.codePointAt(0)! > 0xffff);
}
