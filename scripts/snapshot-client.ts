// What backup and restore share: requests that may take hours, progress of the server's work, repositories.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { readAnswer, RequestError, unreachable, type Answer, type Client } from './common/client';
import { EXIT, ExitError } from './common/program';
import { Progress } from './common/progress';

const POLL_MS = 500;

/** A snapshot as the server lists it. */
export interface ListedSnapshot {
  readonly snapshot: string;
  readonly state: string;
  readonly indices: readonly string[];
  readonly start_time: string;
  readonly start_time_in_millis: number;
}

/**
 * Sends a request that is answered when the work is done, however long that takes. A body goes with its
 * length, which Node leaves out of a DELETE: the server would take the body for the next request.
 *
 * @throws RequestError for an error status
 */
export function sendAndWait(
  { url, headers: own }: Client,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const headers = { ...own, 'Content-Length': bytes.length };
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(new URL(path, url), { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        try {
          resolve(readAnswer(url, `${method} ${path}`, response.statusCode ?? 0, text));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
    request.on('error', (error) => reject(unreachable(url, error)));
    request.end(bytes);
  });
}

/** The innermost of nested exceptions: `A[…]; nested: B[reason]; ` is `reason`. */
export function lastReason(text: string): string {
  return /.*nested: \w+\[(.*)\];? *$/s.exec(text)?.[1] ?? text;
}

/** How far the server has got with a step. */
export interface Measured {
  readonly label: string;
  /** Bytes. */
  readonly done: number;
  readonly total: number;
}

/** Runs `work` and shows meanwhile, in kilobytes, what `measure` says; null: nothing to show. */
export async function withProgress<T>(
  work: Promise<T>,
  measure: () => Promise<Measured | null>,
): Promise<T> {
  let isRunning = true;
  let shown: { readonly label: string; readonly bar: Progress; readonly end: number } | null = null;
  const poll = async (): Promise<void> => {
    while (isRunning) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS).unref());
      const measured = isRunning ? await measure().catch(() => null) : null;
      if (measured === null || measured.total === 0) continue;
      const end = Math.ceil(measured.total / 1024);
      if (shown?.label !== measured.label) {
        shown?.bar.update(shown.end);
        shown = { label: measured.label, bar: new Progress(`${measured.label} KB`, end), end };
      }
      shown.bar.update(
        Math.min(Math.floor((measured.done / measured.total) * shown.end), shown.end - 1),
      );
    }
  };
  void poll();
  try {
    const result = await work;
    const last = shown as { readonly bar: Progress; readonly end: number } | null;
    last?.bar.update(last.end);
    return result;
  } finally {
    isRunning = false;
  }
}

/** Reads every file of a snapshot back. @throws ExitError (damaged) that names the first damaged file */
export async function verifySnapshot(
  client: Client,
  repository: string,
  snapshot: string,
): Promise<Answer> {
  const path = snapshotPath(repository, snapshot);
  try {
    return await withProgress(sendAndWait(client, 'POST', `${path}/_verify`), () =>
      progressOfReading(client, path),
    );
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new ExitError(EXIT.damaged, `${snapshot} cannot be restored: ${error.message}`);
  }
}

/** How far the restore or verification of a snapshot has got. */
export async function progressOfReading(client: Client, path: string): Promise<Measured | null> {
  const answer = await client.send('GET', `${path}/_restore`);
  const [first] = answer['restores'] as readonly {
    readonly stage: string;
    readonly total_size_in_bytes: number;
    readonly processed_size_in_bytes: number;
  }[];
  if (first === undefined) return null;
  const { stage, total_size_in_bytes: total, processed_size_in_bytes: done } = first;
  return { label: stage, done, total };
}

/** All snapshots of a repository, the oldest first. @throws ExitError when the server does not know it */
export async function listSnapshots(
  client: Client,
  repository: string,
): Promise<readonly ListedSnapshot[]> {
  const path = `/_snapshot/${encodeURIComponent(repository)}/_all`;
  try {
    return (await client.send('GET', path))['snapshots'] as ListedSnapshot[];
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
    throw new ExitError(
      EXIT.failed,
      `${client.url} knows no repository ${repository}: --location FOLDER names the folder of one that is ` +
        'there (below path.repo of the server); facetd backup makes one on first use',
    );
  }
}

/** The path of a snapshot. */
export function snapshotPath(repository: string, snapshot: string): string {
  return `/_snapshot/${encodeURIComponent(repository)}/${encodeURIComponent(snapshot)}`;
}

/**
 * Registers a file-system repository unless there is one of that name.
 *
 * @throws ExitError (usage) when the server does not allow it
 */
export async function setUpRepository(
  client: Client,
  repository: string,
  location: string,
): Promise<void> {
  const all = await client.send('GET', '/_snapshot');
  if (Object.hasOwn(all, repository)) return;
  try {
    await sendAndWait(client, 'PUT', `/_snapshot/${encodeURIComponent(repository)}`, {
      type: 'fs',
      settings: { location },
    });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new ExitError(
      EXIT.usage,
      `the repository cannot be set up: its folder has to be below one that the setting path.repo of the ` +
        `server names, such as --set path.repo=/var/backups/facetd; the server says: ${lastReason(error.message)}`,
    );
  }
}
