// Files of a page for browsers that the operator put into a folder, as the reference serves its site plugins:
// Kibana 3 at /_plugin/kibana/. They are the same for everybody, so nobody is asked for a key; what the page
// shows it asks for by requests like all others.
//
// Nothing but plain files below the folder is served: no name that begins with a dot, nothing that a symbolic
// link leads to, and nothing that is reached by `..`, in whatever spelling.

import { constants, realpathSync, statSync } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ConfigError, type ServerSettings } from '../config/index';
import { send, type HeaderList } from '../render/index';
import { CLOSED_IN, pageHeaders } from './page-headers';

const MOUNT = '/_plugin/kibana';
const TEXT_TYPE = 'text/plain; charset=UTF-8';

/** Types by the end of the name; whatever else there is is only bytes. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=UTF-8'],
  ['.eot', 'application/vnd.ms-fontobject'],
  ['.gif', 'image/gif'],
  ['.htm', 'text/html; charset=UTF-8'],
  ['.html', 'text/html; charset=UTF-8'],
  ['.ico', 'image/x-icon'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.js', 'text/javascript; charset=UTF-8'],
  ['.json', 'application/json; charset=UTF-8'],
  ['.map', 'application/json; charset=UTF-8'],
  ['.md', TEXT_TYPE],
  ['.otf', 'font/otf'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.ttf', 'font/ttf'],
  ['.txt', TEXT_TYPE],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
]);

/**
 * Nothing but files and answers of this server. Kibana 3 is written with Angular 1 and makes functions of
 * texts and styles of scripts, so those two it may.
 */
const PROTECTION = pageHeaders([
  "default-src 'none'",
  "script-src 'self' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  ...CLOSED_IN,
]);

/** A folder whose files are served. */
export class StaticFolder {
  /** @param root the real path of a folder */
  private constructor(private readonly root: string) {}

  /**
   * The folder that the setting names; null: none.
   *
   * @throws ConfigError when it is no folder, or holds what is not for everybody
   */
  static of({ kibanaFolder, node }: ServerSettings): StaticFolder | null {
    if (kibanaFolder === null) return null;
    const root = realFolder(kibanaFolder);
    const ours = [node.dataPath, node.configPath, ...node.repositoryPaths];
    const secret = ours.find((path) => isWithin(root, realOrSame(path)));
    if (secret === undefined) return new StaticFolder(root);
    throw new ConfigError(
      `http.static.kibana ${kibanaFolder} contains ${secret}, which is not for everybody: ` +
        'name the folder that has the index.html of Kibana 3',
    );
  }

  /** Whether a request is for a file of the folder. */
  owns({ url = '/' }: IncomingMessage): boolean {
    return url.startsWith(MOUNT) && /^(?:[/?]|$)/.test(url.slice(MOUNT.length));
  }

  /** Answers a request that it owns. Never rejects. @param headers of the answer, besides its own */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    headers: HeaderList,
  ): Promise<void> {
    for (const header of PROTECTION) headers.push(header);
    const { method, url = '/' } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      headers.push('Allow', 'GET, HEAD', 'Connection', 'close');
      return refuse(response, headers, 405, 'files are read by GET and HEAD only');
    }
    const [path = ''] = url.slice(MOUNT.length).split('?');
    if (path === '') return redirect(response, headers, 'kibana/');
    const parts = partsOf(path);
    const found = parts === null ? null : await this.open(parts);
    if (found === null) return refuse(response, headers, 404, 'there is no such file');
    try {
      await sendFile(request, response, headers, parts!, found);
    } catch {
      // The client has gone, or the disk failed in the middle: there is no other answer any more.
      response.destroy();
    } finally {
      await found.close();
    }
  }

  /** A plain file, or null. */
  private async open(parts: readonly string[]): Promise<FileHandle | null> {
    const path = this.root + sep + parts.join(sep);
    try {
      // Where a link is on the way the two differ.
      if ((await realpath(path)) !== path) return null;
      // A pipe without a writer would be waited for.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
      const handle = await open(path, flags);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
      return null;
    } catch {
      return null;
    }
  }
}

/** @throws ConfigError when a folder that is to be served cannot be; before anything is opened */
export function checkServedFolders(settings: ServerSettings): void {
  StaticFolder.of(settings);
}

/** The names of a path, with `index.html` for a folder; null for one that names no file here. */
function partsOf(path: string): readonly string[] | null {
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    return null;
  }
  const parts = text.split('/').slice(1);
  if (parts.at(-1) === '') parts[parts.length - 1] = 'index.html';
  const isPlain = (part: string): boolean => /^[^.\\/\0][^\\/\0]*$/.test(part);
  return parts.length > 0 && parts.every(isPlain) ? parts : null;
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderList,
  parts: readonly string[],
  file: FileHandle,
): Promise<void> {
  const { size, mtimeMs } = await file.stat();
  const etag = `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
  headers.push('ETag', etag, 'Cache-Control', 'no-cache');
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  const type = TYPES.get(extname(parts.at(-1)!).toLowerCase()) ?? 'application/octet-stream';
  headers.push('Content-Type', type, 'Content-Length', String(size));
  response.writeHead(200, headers);
  if (request.method === 'HEAD' || size === 0) {
    response.end();
    return;
  }
  // Not more than was announced, should it grow meanwhile.
  await pipeline(file.createReadStream({ start: 0, end: size - 1, autoClose: false }), response);
}

function redirect(response: ServerResponse, headers: HeaderList, to: string): void {
  // Relative, so that it can stand behind a path of a proxy.
  headers.push('Location', to);
  send(response, headers, 308, TEXT_TYPE, Buffer.alloc(0));
}

function refuse(
  response: ServerResponse,
  headers: HeaderList,
  status: number,
  reason: string,
): void {
  send(response, headers, status, TEXT_TYPE, Buffer.from(`${reason}\n`));
}

function realFolder(path: string): string {
  try {
    const root = realpathSync(path);
    if (statSync(root).isDirectory()) return root;
  } catch {
    // Said below.
  }
  throw new ConfigError(`http.static.kibana ${path} is not a folder`);
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isWithin(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`);
}
