// JSON without loss: integers that a double cannot hold stay text, and laying out keeps every literal.

/**
 * Parses JSON. Integers beyond 2^53 become the text of their digits, where the browser tells it.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  // Sixteen digits in a row are rare, and a reviver is not free.
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const reviver = (_name: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value))
      return value;
    return /^-?\d+$/.test(source) ? source : value;
  };
  return JSON.parse(text, reviver);
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Lays JSON out over lines, two spaces a level; text that is no JSON comes back as it is. */
export function layOut(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const lines: string[] = [];
  let line = '';
  let level = 0;
  let previous = '';
  const breakLine = () => {
    lines.push(line);
    line = '  '.repeat(level);
  };
  for (const [token] of text.matchAll(TOKEN)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) level--;
    const opened = previous === '{' || previous === '[';
    if ((opened && !isClosing) || previous === ',' || (isClosing && !opened)) breakLine();
    line += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') level++;
    previous = token;
  }
  lines.push(line);
  return lines.join('\n');
}
