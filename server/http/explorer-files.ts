// The explorer: a page and its files, and the short page that leads browsers to it. They hold nothing of the
// server's data, so nobody is asked for a key; what the page shows it asks for by requests like all others.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findPackage } from '../../engine/index';
import { facetdVersion } from '../config/index';
import { acceptedEncoding, send, type HeaderList } from '../render/index';
import { CLOSED_IN, pageHeaders } from './page-headers';

/** Files by the last segment of their path, with their types. */
const FILES: ReadonlyMap<string, readonly [file: string, type: string]> = new Map([
  ['_explorer', ['page.html', 'text/html; charset=UTF-8']],
  ['page.js', ['page.js', 'text/javascript; charset=UTF-8']],
  ['page.css', ['page.css', 'text/css; charset=UTF-8']],
  ['icon.svg', ['icon.svg', 'image/svg+xml']],
]);

const PATH = /^\/_explorer(?:\/([^/?]*))?(?:\?|$)/;
const TEXT_TYPE = 'text/plain; charset=UTF-8';
const ROOT = /^\/(?:\?|$)/;

/** Nothing but files of this server, no code in the page, and no other page around it. */
const PROTECTION = pageHeaders([
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  ...CLOSED_IN,
]);

/** A file as it is sent. */
interface StaticFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

/** Answers requests for the explorer. */
export class ExplorerFiles {
  private readonly loaded = new Map<string, StaticFile | null>();

  /** @param folder where the build puts the files */
  constructor(private readonly folder = join(findPackage().folder, 'dist', 'server', 'explorer')) {}

  /** Whether a request is for the explorer, or from a browser that is to be led to it. */
  owns({ method, url = '/', headers }: IncomingMessage): boolean {
    if (method !== 'GET' && method !== 'HEAD') return false;
    if (ROOT.test(url)) return headers.accept?.includes('text/html') === true;
    return PATH.test(url);
  }

  /** Answers a request that it owns. @param headers of the answer, besides its own */
  answer(request: IncomingMessage, response: ServerResponse, headers: HeaderList): void {
    const { url = '/' } = request;
    if (ROOT.test(url)) {
      // Others see JSON there.
      headers.push('Vary', 'Accept');
      return sendFile(request, response, headers, welcome());
    }
    const name = PATH.exec(url)?.[1];
    if (name === '') {
      // Links of the page are relative, so that it can stand behind a path of a proxy.
      headers.push('Location', '../_explorer');
      return send(response, headers, 308, TEXT_TYPE, Buffer.alloc(0));
    }
    const file = this.file(name ?? '_explorer');
    if (file !== null) return sendFile(request, response, headers, file);
    const text = 'there is no such file in the explorer, or it was not built\n';
    send(response, headers, 404, TEXT_TYPE, Buffer.from(text));
  }

  /** Read at first use, and kept: a newer build is served by the next start. */
  private file(name: string): StaticFile | null {
    const known = this.loaded.get(name);
    if (known !== undefined) return known;
    const entry = FILES.get(name);
    if (entry === undefined) return null;
    const [file, type] = entry;
    let made: StaticFile | null = null;
    try {
      made = staticFile(type, readFileSync(join(this.folder, file)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    this.loaded.set(name, made);
    return made;
  }
}

function staticFile(type: string, plain: Buffer): StaticFile {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, plain, gzipped: gzipSync(plain, { level: 9 }), etag };
}

/** What a browser sees at `/`. */
function welcome(): StaticFile {
  return (welcomePage ??= staticFile(
    'text/html; charset=UTF-8',
    Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>facetd</title>
    <link rel="icon" href="_explorer/icon.svg" type="image/svg+xml" />
  </head>
  <body>
    <h1>facetd ${facetdVersion()}</h1>
    <p>A search server, which speaks the HTTP interface of Elasticsearch 0.90–1.7.</p>
    <p><a href="_explorer">Look around in the explorer</a></p>
    <p>Programs see JSON here.</p>
  </body>
</html>
`),
  ));
}
let welcomePage: StaticFile | undefined;

/** A file, or the word that the browser has it already. */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderList,
  { type, plain, gzipped, etag }: StaticFile,
): void {
  for (const header of PROTECTION) headers.push(header);
  headers.push('ETag', etag, 'Cache-Control', 'no-cache', 'Vary', 'Accept-Encoding');
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  const isGzipped = acceptedEncoding(request.headers['accept-encoding']) === 'gzip';
  if (isGzipped) headers.push('Content-Encoding', 'gzip');
  // Node sends no body in answer to HEAD.
  send(response, headers, 200, type, isGzipped ? gzipped : plain);
}
