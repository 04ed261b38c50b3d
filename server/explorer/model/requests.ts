// Requests as text: as curl sends them, and which of them the page runs for somebody who edits one.

/** A request as it is sent. */
export interface RequestText {
  readonly method: string;
  /** From the `/` on, with its parameters. */
  readonly path: string;
  /** Null: none. */
  readonly body: string | null;
}

/** The command that sends a request; a key is left to be filled in. @param origin `http://host:port` */
export function curlOf(
  { method, path, body }: RequestText,
  origin: string,
  hasKey: boolean,
): string {
  const parts = [`curl -X${method} ${quoted(`${origin}${path}`)}`];
  if (hasKey) parts.push(`-H ${quoted('Authorization: ApiKey $KEY').replaceAll("'", '"')}`);
  if (body !== null) parts.push(`-d ${quoted(asciiJson(body))}`);
  return parts.join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Characters that a terminal may swallow, as JSON escapes. */
export function asciiJson(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ue000-\uf8ff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const READING = new Set([
  '_search',
  '_count',
  '_msearch',
  '_mget',
  '_analyze',
  '_explain',
  '_suggest',
  '_percolate',
  '_field_stats',
  '_termvector',
  '_mtermvectors',
  '_search_shards',
]);
const READING_PATHS = ['_validate/query', '_search/exists', '_search/template', '_percolate/count'];

/** Why the page does not run a request, or null: it reads, and leaves writing to others. */
export function refusalOf({ method, path }: Pick<RequestText, 'method' | 'path'>): string | null {
  if (!path.startsWith('/')) return 'The path begins with “/”.';
  const segments = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const isReading =
    READING.has(segments.at(-1) ?? '') || READING_PATHS.includes(segments.slice(-2).join('/'));
  if (method === 'POST' ? isReading : method === 'GET' && !isCostly(segments)) return null;
  return 'Only requests that read are run here; curl runs the others.';
}

/** GETs of the 1.x interface that do something. */
function isCostly(segments: readonly string[]): boolean {
  return segments.some((part) => ['_refresh', '_flush', '_optimize', '_cache'].includes(part));
}
