// The text of fragments between their tags.

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '&quot;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ["'", '&#x27;'],
  ['/', '&#x2F;'],
]);

/** Escapes a text for HTML as the reference's encoder `html` does. */
function escapeHtml(text: string): string {
  return text.replace(/["&<>'/]/g, (character) => ESCAPES.get(character)!);
}

/** How the text of fragments is written. */
export function encoder(isHtml: boolean): (text: string) => string {
  return isHtml ? escapeHtml : (text) => text;
}
