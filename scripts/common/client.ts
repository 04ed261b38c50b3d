// A few lines of HTTP client, and a server process of one's own, for the scripts.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiledProgram } from './package-folder';
import { EXIT, ExitError } from './program';

/** The parsed body of an answer; scripts know what they asked for. */
export type Answer = Record<string, unknown>;

/** An answer with an error status. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** @param option that it was given by @throws ExitError (usage) for what is no address of a server */
function serverUrl(text: string, option: string): URL {
  const url = parseUrl(text);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  const isBare = !text.includes('://');
  const hint = isBare ? `did you mean http://${text}?` : 'it has to begin with http:// or https://';
  throw new ExitError(EXIT.usage, `${option} ${text} is not the address of a server; ${hint}`);
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * The address of a server without the key in it, and the headers that carry the key.
 *
 * @param pair the key, `id:secret`, for an address without one
 * @param option that the address was given by
 * @throws ExitError (usage) for what is no address of a server
 */
export function splitKey(
  text: string,
  pair: string | undefined,
  option: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } {
  const parsed = serverUrl(text, option);
  const { username, password } = parsed;
  const isBare = username === '';
  const own = `${decoded(username, option)}:${decoded(password, option)}`;
  const key = isBare ? pair : own;
  parsed.username = parsed.password = '';
  return {
    url: isBare ? text : parsed.href,
    headers:
      key === undefined ? {} : { Authorization: `Basic ${Buffer.from(key).toString('base64')}` },
  };
}

/** @throws ExitError (usage) */
function decoded(text: string, option: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    const how = 'has a % with nothing behind it that it could stand for; a % itself is written %25';
    throw new ExitError(EXIT.usage, `the key in the address of ${option} ${how}`);
  }
}

/** What the system says when there is no server. */
const NOBODY: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What Node says of a certificate that it does not trust, and of one for another name. */
const NOT_TRUSTED =
  /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)_|CERT_(?:HAS_EXPIRED|UNTRUSTED|SIGNATURE_FAILURE)/;
const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** What it says where one side speaks TLS and the other does not. */
const NO_TLS: ReadonlySet<string> = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO']);
const CUT_OFF: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET']);

/** What to do about a connection that failed; empty where nothing is known. */
function adviceOn(url: string, reason: string): string {
  if (NOT_TRUSTED.test(reason)) {
    return ': its certificate is not trusted; NODE_EXTRA_CA_CERTS=FILE names that of the authority that signed it';
  }
  if (reason === OTHER_NAME)
    return ': its certificate is for another name or address than this one';
  if (NO_TLS.has(reason)) return ': no TLS is spoken there; try http:// instead of https://';
  if (CUT_OFF.has(reason) && url.startsWith('http://')) {
    return '; where TLS is spoken, the address begins with https://';
  }
  return '';
}

/** Why there is no answer, and what to do. */
export function unreachable(url: string, error: unknown): Error {
  const causes = error instanceof Error ? [error, error.cause] : [];
  const code = causes
    .map((cause) => (cause as NodeJS.ErrnoException | undefined)?.code)
    .find(Boolean);
  const last = causes.findLast((cause): cause is Error => cause instanceof Error);
  const reason = code ?? last?.message ?? String(error);
  if (!NOBODY.has(reason)) {
    const advice = adviceOn(url, reason);
    const text = `the connection to ${url} failed: ${reason}${advice}`;
    return advice === '' ? new Error(text, { cause: error }) : new ExitError(EXIT.failed, text);
  }
  const start = 'is facetd running there? `facetd` starts it, --url names another server';
  return new ExitError(EXIT.failed, `nothing answers at ${url} (${reason}): ${start}`);
}

/**
 * The parsed body of an answer.
 *
 * @throws RequestError for an error status, and for what no server of this interface says
 */
export function readAnswer(url: string, request: string, status: number, text: string): Answer {
  const body = parsed(text);
  if (body === null) {
    const start = text.trim().slice(0, 60).replace(/\s+/g, ' ');
    throw new RequestError(status, `${url} is no facetd: ${request} gets ${status} ${start}`);
  }
  if (status < 400) return body;
  if (status === 401) {
    const how =
      'give one by --url http://ID:SECRET@host:9200, or as ID:SECRET in FACETD_CLIENT_KEY';
    throw new RequestError(status, `${url} asks for a key, or does not know this one: ${how}`);
  }
  const { error } = body;
  throw new RequestError(status, typeof error === 'string' ? error : text);
}

/** Null for what is not an object. */
function parsed(text: string): Answer | null {
  if (text === '') return {};
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? (body as Answer) : null;
  } catch {
    return null;
  }
}

/** Sends JSON (or, for a string, the text as it stands) and returns the parsed answer. */
export class Client {
  /** Without the key that may stand in it. */
  readonly url: string;
  /** What requests say who they are of. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param url with a key as `http://id:secret@host`; otherwise FACETD_CLIENT_KEY may hold one, `id:secret` */
  constructor(url: string) {
    const { url: bare, headers } = splitKey(url, process.env['FACETD_CLIENT_KEY'], '--url');
    this.url = bare;
    this.headers = headers;
  }

  /** @throws Error in words for people when nothing answers, or when the status is 400 or above */
  async send(method: string, path: string, body?: string | object): Promise<Answer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: this.headers,
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(this.url, error);
    });
    const text = await response.text();
    return readAnswer(this.url, `${method} ${path}`, response.status, text);
  }

  /** Sends documents through `_bulk` in batches; `onProgress` hears how many are acknowledged. */
  async bulk(
    index: string,
    type: string,
    documents: readonly (readonly [id: string, source: object])[],
    onProgress: (done: number) => void,
    batchSize = 500,
  ): Promise<void> {
    for (let from = 0; from < documents.length; from += batchSize) {
      const lines: string[] = [];
      for (const [id, source] of documents.slice(from, from + batchSize)) {
        lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(source));
      }
      const answer = await this.send('POST', `/${index}/${type}/_bulk`, `${lines.join('\n')}\n`);
      if (answer['errors'] === true)
        throw new Error(`bulk: ${JSON.stringify(answer).slice(0, 500)}`);
      onProgress(Math.min(from + batchSize, documents.length));
    }
  }
}

/** A port of this machine that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A server process of one's own. */
export interface RunningServer {
  readonly client: Client;
  readonly process: ChildProcess;
  /** Ends it in an orderly way. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server process over `dataPath` on a free port and waits until it answers. It ends with this
 * process.
 *
 * @param nodeOptions for Node itself; the process can be sent messages
 */
export async function startServer(
  dataPath: string,
  settings: readonly string[] = [],
  nodeOptions: readonly string[] = [],
): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [
      ...['--require', compiledProgram('scripts/end-with-parent')],
      ...nodeOptions,
      compiledProgram('server/main'),
      ...['--port', String(port), '--data', dataPath, '--set', 'logger.level=warn'],
      ...settings.flatMap((setting) => ['--set', setting]),
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  const client = new Client(`http://127.0.0.1:${port}`);
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    try {
      await client.send('GET', '/');
      break;
    } catch (error) {
      if (attempt > 1000) throw error;
      await sleep(10);
    }
  }
  const stop = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { client, process: child, stop };
}
