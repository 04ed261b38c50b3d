// The way to the server: plain requests of the 1.x interface, relative to where the page is, with the key of
// the session where there is one. Keeps the last requests so that every view can show those behind it.

import { parseExact } from '../model/exact-json';
import { isObject } from '../model/own';
import type { RequestText } from '../model/requests';

/** A request that was sent. */
export interface Call extends RequestText {
  readonly id: number;
  /** Null while there is no answer; 0 where there will be none. */
  readonly status: number | null;
  readonly tookMs: number;
  /** As it came. */
  readonly answer: string;
}

/** An answer that is an error, or none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** @param status 0: the server cannot be reached */
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls that are kept. */
const MOST_CALLS = 30;
/** Longer answers are cut where they are kept. */
const KEPT_ANSWER = 2_000_000;
const KEY = 'facetd.authorization';

/** Sends requests. */
export class Client {
  private calls: readonly Call[] = [];
  private nextId = 1;
  private readonly listeners = new Set<() => void>();
  /** Whether the last answer asked for a key. */
  needsKey = false;

  /** @param storage keeps the key as long as the tab is open */
  constructor(private readonly storage: Storage) {}

  /** Whether requests carry a key. */
  get hasKey(): boolean {
    return this.storage.getItem(KEY) !== null;
  }

  /** The last calls, oldest first; the same list until there is another one. */
  get recent(): readonly Call[] {
    return this.calls;
  }

  /** Takes a key (`user:password` is one, too), or forgets it. */
  setKey(key: string | null): void {
    if (key === null) this.storage.removeItem(KEY);
    else this.storage.setItem(KEY, authorization(key.trim()));
    this.needsKey = false;
    this.changed();
  }

  /** Hears of calls and keys. @returns ends it */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Forgets the calls, because another view begins. */
  clearCalls(): void {
    this.calls = [];
    this.changed();
  }

  /** @throws ApiError */
  async get(path: string, signal?: AbortSignal): Promise<unknown> {
    return parse(await this.text({ method: 'GET', path, body: null }, signal));
  }

  /** @throws ApiError */
  async post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
    return parse(await this.text({ method: 'POST', path, body: JSON.stringify(body) }, signal));
  }

  /** The answer as text. @throws ApiError */
  async text(request: RequestText, signal?: AbortSignal): Promise<string> {
    const call = await this.send(request, signal);
    if (call.status !== null && call.status >= 200 && call.status < 300) return call.answer;
    throw new ApiError(call.status ?? 0, messageIn(call.answer));
  }

  /**
   * Sends a request; an error is an answer like others.
   *
   * @throws DOMException when `signal` ends it
   */
  async send(request: RequestText, signal?: AbortSignal): Promise<Call> {
    const id = this.nextId++;
    const started = performance.now();
    this.keep({ ...request, id, status: null, tookMs: 0, answer: '' });
    const finish = (status: number, answer: string): Call => {
      const call = { ...request, id, status, answer, tookMs: performance.now() - started };
      this.needsKey = status === 401 || (this.needsKey && status === 0);
      this.keep({ ...call, answer: answer.slice(0, KEPT_ANSWER) });
      return call;
    };
    try {
      const response = await fetch(request.path.replace(/^\/+/, ''), {
        method: request.method,
        body: request.body,
        headers: this.headers(),
        // The browser is not to ask for a password by itself.
        credentials: 'omit',
        ...(signal === undefined ? {} : { signal }),
      });
      return finish(response.status, await response.text());
    } catch (error) {
      if (signal?.aborted === true) {
        this.calls = this.calls.filter((one) => one.id !== id);
        throw error;
      }
      return finish(0, 'The server cannot be reached.');
    }
  }

  private headers(): Record<string, string> {
    const key = this.storage.getItem(KEY);
    return { Accept: 'application/json', ...(key === null ? {} : { Authorization: key }) };
  }

  /** A call that is repeated takes the place of the one before. */
  private keep(call: Call): void {
    const others = this.calls.filter(
      ({ id, method, path, body }) =>
        id !== call.id && (method !== call.method || path !== call.path || body !== call.body),
    );
    this.calls = [...others, call].slice(-MOST_CALLS);
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

function authorization(key: string): string {
  if (/^(ApiKey|Basic|Bearer) /i.test(key)) return key;
  if (!key.includes(':')) return `ApiKey ${key}`;
  const bytes = Array.from(new TextEncoder().encode(key), (byte) => String.fromCharCode(byte));
  return `Basic ${btoa(bytes.join(''))}`;
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    throw new ApiError(0, 'The answer is no JSON.');
  }
}

/** What an error says. */
function messageIn(answer: string): string {
  try {
    const body: unknown = JSON.parse(answer);
    if (isObject(body) && typeof body['error'] === 'string') return body['error'];
  } catch {
    // No JSON: the text itself.
  }
  return answer.slice(0, 2000) || 'The answer is empty.';
}

/** A name as a segment of a path; the commas of a list stay. */
export function segment(name: string): string {
  return encodeURIComponent(name).replaceAll('%2C', ',').replaceAll('%2A', '*');
}
