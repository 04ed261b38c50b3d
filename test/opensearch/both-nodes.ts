// A node over OpenSearch beside an embedded one: both get the same requests, and are to answer alike.

import { randomUUID } from 'node:crypto';
import type { SearchEngine } from '../../engine/index';
import { openBackend } from '../../server/backends';
import { createLogger } from '../../server/config/logger';
import { createApp } from '../../server/http/app';
import { HttpClient } from '../support/http-client';
import { testSettings } from '../support/settings';

/** Two nodes. */
export class BothNodes {
  private constructor(
    readonly embedded: HttpClient,
    readonly remote: HttpClient,
    /** Of the node over OpenSearch. */
    readonly engine: SearchEngine,
    /** What all that it keeps there is called. */
    readonly prefix: string,
    private readonly url: string,
  ) {}

  /** @param url of OpenSearch */
  static async open(url: string): Promise<BothNodes> {
    const prefix = `test-${randomUUID()}`;
    const settings = testSettings({
      'engine.backend': 'opensearch',
      'opensearch.hosts': url,
      'opensearch.prefix': prefix,
      'index.refresh_interval': '-1',
      'search.default_search_type': 'query_then_fetch',
    });
    const engine = await openBackend('opensearch', {
      settings: settings.node,
      openSearch: settings.openSearch,
    });
    const handler = createApp(engine, settings, createLogger('silent'));
    const close = (): Promise<void> => engine.close();
    const restart = (): never => {
      throw new Error('it has nothing here to be started over');
    };
    const remote = HttpClient.over({ handler, close, restart });
    return new BothNodes(await HttpClient.start(), remote, engine, prefix, url);
  }

  /** Both have to succeed. */
  async ok(method: string, path: string, body?: string | object): Promise<void> {
    await this.embedded.ok(method, path, body);
    await this.remote.ok(method, path, body);
  }

  /** Status and body of both, the embedded one's first. */
  async answers(
    method: string,
    path: string,
    body?: string | object,
  ): Promise<[[number, unknown], [number, unknown]]> {
    const embedded = await this.embedded.pair(method, path, body);
    return [embedded, await this.remote.pair(method, path, body)];
  }

  /** Asks OpenSearch itself. */
  async ask(method: string, path: string): Promise<Record<string, unknown>> {
    const answer = await fetch(`${this.url}${path}`, { method });
    return (await answer.json()) as Record<string, unknown>;
  }

  async close(): Promise<void> {
    await Promise.all([this.embedded.close(), this.remote.close()]);
    await this.ask('DELETE', `/${this.prefix}*`);
  }
}
