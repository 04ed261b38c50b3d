// A server as old ones are: what it says is laid down by a test, with the shapes and moods of 0.90.

import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A document as JSON text, whatever that is. */
export interface OldDocument {
  readonly type: string;
  readonly id: string;
  readonly version?: number;
  readonly source: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** What the server has, by index. */
export interface OldIndex {
  readonly settings?: object;
  readonly mappings?: object;
  readonly aliases?: object;
  readonly warmers?: object;
  readonly documents: readonly OldDocument[];
}

/** A failure instead of an answer, once. */
export interface Mood {
  /** What the line of the request has to contain. */
  readonly on: string;
  readonly status: number;
  readonly body: string;
}

/** A running server of version 0.90. */
export class OldServerDouble {
  /** Lines of requests, with their bodies. */
  readonly requests: string[] = [];
  /** Headers of requests. */
  readonly headers: IncomingHttpHeaders[] = [];
  private readonly scrolls = new Map<string, OldDocument[]>();
  private readonly moods: Mood[];
  private size = 2;

  private constructor(
    private readonly server: Server,
    private readonly indices: Readonly<Record<string, OldIndex>>,
    moods: readonly Mood[],
  ) {
    this.moods = [...moods];
  }

  static async start(
    indices: Readonly<Record<string, OldIndex>>,
    moods: readonly Mood[] = [],
  ): Promise<OldServerDouble> {
    const server = createServer((request, response) => void double.serve(request, response));
    const double = new OldServerDouble(server, indices, moods);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const line = `${request.method} ${decodeURIComponent(request.url ?? '')}`;
    this.requests.push(`${line} ${body}`);
    this.headers.push(request.headers);
    const mood = this.moods.findIndex(({ on }) => line.includes(on));
    if (mood >= 0) {
      const [{ status, body: text }] = this.moods.splice(mood, 1) as [Mood];
      response.writeHead(status).end(text);
      return;
    }
    const [status, text] = this.answer(new URL(request.url ?? '', this.url), line, body);
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(text);
  }

  private answer(url: URL, line: string, body: string): readonly [number, string] {
    const path = url.pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
    const last = path.at(-1) ?? '';
    if (path.length === 0) return ok({ ok: true, status: 200, version: { number: '0.90.13' } });
    if (line.startsWith('DELETE /_search/scroll')) return [200, '{}'];
    if (path.join('/') === '_search/scroll') return this.page(body);
    if (path.join('/') === '_cluster/state') return ok({ metadata: { templates: {} } });
    if (path.join('/') === '_settings') return ok(this.all('settings'));
    const index = this.indices[path[0] ?? ''];
    const name = path[0]!;
    if (index === undefined) return [404, '{"error":"IndexMissingException","status":404}'];
    const type = path.length > 2 ? path[1]! : null;
    switch (last) {
      case '_settings':
        return ok({ [name]: { settings: index.settings ?? {} } });
      case '_mapping':
        // Without the member "mappings" of later versions.
        return ok({ [name]: index.mappings ?? {} });
      case '_aliases':
        return ok({ [name]: { aliases: index.aliases ?? {} } });
      case '_warmer':
        return ok(index.warmers === undefined ? {} : { [name]: { warmers: index.warmers } });
      case '_refresh':
        return ok({ ok: true });
      case '_count':
        return ok({ count: this.documents(index, type).length });
      case '_search':
        if (body.includes('fielddata_fields')) {
          return [400, '{"error":"Parse Failure [No parser for element [fielddata_fields]]"}'];
        }
        if (line.includes('search_type=count')) return [400, '{"error":"no facets","status":400}'];
        return this.begin(name, index, type, body);
      case '_source': {
        const found = index.documents.find(({ type: of, id }) => of === path[1] && id === path[2]);
        return found === undefined ? [404, '{}'] : [200, found.source];
      }
      default:
        return [400, `No handler found for uri [${url.pathname}] and method [${line}]`];
    }
  }

  private all(_: 'settings'): object {
    const entries = Object.entries(this.indices);
    return Object.fromEntries(
      entries.map(([name, { settings }]) => [name, { settings: settings ?? {} }]),
    );
  }

  private documents(index: OldIndex, type: string | null): readonly OldDocument[] {
    return index.documents.filter((document) => type === null || document.type === type);
  }

  private begin(
    name: string,
    index: OldIndex,
    type: string | null,
    body: string,
  ): readonly [number, string] {
    const { fields } = JSON.parse(body) as { fields: string[] };
    const id = `${name}/${this.scrolls.size}/${fields.includes('_source') ? 'with' : 'without'}`;
    this.scrolls.set(id, [...this.documents(index, type)]);
    return ok({
      _scroll_id: id,
      _shards: { total: 1, successful: 1, failed: 0 },
      hits: { total: 0, hits: [] },
    });
  }

  private page(id: string): readonly [number, string] {
    const rest = this.scrolls.get(id);
    if (rest === undefined) return [404, '{"error":"SearchContextMissingException","status":404}'];
    const hits = rest.splice(0, this.size).map(({ type, id: one, version, source, fields }) => {
      const meta = JSON.stringify({
        _index: id.split('/')[0],
        _type: type,
        _id: one,
        _version: version ?? 1,
        fields,
      });
      return id.endsWith('/with') ? `${meta.slice(0, -1)},"_source":${source}}` : meta;
    });
    const head = JSON.stringify({
      _scroll_id: id,
      _shards: { total: 1, successful: 1, failed: 0 },
    });
    return [200, `${head.slice(0, -1)},"hits":{"total":1,"hits":[${hits.join(',')}]}}`];
  }
}

function ok(body: object): readonly [number, string] {
  return [200, JSON.stringify(body)];
}
