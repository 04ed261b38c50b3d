// What families of hostile requests are made of.

import { exchange, complaint, type HostileRequest } from './wire';

/** Numbers of a family: the full one with `LONG=1`, else one that shows the same in a moment. */
export type Size = (full: number) => number;

/** Requests of one idea, against a server that holds the index `control` and whatever they make. */
export interface Family {
  readonly name: string;
  /** It takes as much memory as there may be: what other families left does not count against it. */
  readonly isAlone?: true;
  /** Sends them all. @returns what is wrong with the answers, one line each */
  readonly attack: (port: number, size: Size) => Promise<string[]>;
}

/** A family of requests that are sent one after the other, or so many at once. */
export function family(
  name: string,
  requests: (size: Size) => Iterable<HostileRequest>,
  atOnce = 1,
): Family {
  return { name, attack: (port, size) => sendAll(port, requests(size), atOnce) };
}

/** Sends requests, `atOnce` of them at a time. @returns what is wrong with the answers */
export async function sendAll(
  port: number,
  requests: Iterable<HostileRequest>,
  atOnce: number,
): Promise<string[]> {
  const problems: string[] = [];
  const iterator = requests[Symbol.iterator]();
  const lane = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) {
      const problem = complaint(await exchange(port, next.value));
      if (problem === null) continue;
      const { method, path } = next.value;
      problems.push(`${method} ${path.slice(0, 100)}: ${problem}`);
      // The process has ended.
      if (/ECONNREFUSED/.test(problem)) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return problems;
}

export const put = (path: string, body?: string | Buffer): HostileRequest => ({
  method: 'PUT',
  path,
  ...(body === undefined ? {} : { body }),
});
export const post = (path: string, body?: HostileRequest['body']): HostileRequest => ({
  method: 'POST',
  path,
  ...(body === undefined ? {} : { body }),
});
export const get = (path: string): HostileRequest => ({ method: 'GET', path });

/** So many texts, with commas in between. */
export function list(count: number, item: (n: number) => string | number): string {
  const parts = new Array<string | number>(count);
  for (let n = 0; n < count; n++) parts[n] = item(n);
  return parts.join(',');
}

/** Something within itself, so many times. */
export function nested(count: number, open: string, inner: string, close: string): string {
  return open.repeat(count) + inner + close.repeat(count);
}

export const search = (body: string, query = ''): HostileRequest =>
  post(`/control/_search${query}`, body);
