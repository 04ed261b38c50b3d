// Short forms for tests that talk to a node over HTTP.

import request from 'supertest';
import { createTestApp, type TestApp } from './app';

/** What came back; `body` is the parsed JSON. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** A node with the reference's defaults for searching, and indices that refresh only when told to. */
export class HttpClient {
  private constructor(private app: Pick<TestApp, 'handler' | 'restart' | 'close'>) {}

  /** Talks to an application that somebody else has opened. */
  static over(app: Pick<TestApp, 'handler' | 'restart' | 'close'>): HttpClient {
    return new HttpClient(app);
  }

  static async start(values: Readonly<Record<string, string>> = {}): Promise<HttpClient> {
    const app = await createTestApp({
      'index.refresh_interval': '-1',
      'search.default_search_type': 'query_then_fetch',
      ...values,
    });
    return new HttpClient(app);
  }

  /** Sends a request; objects become JSON, texts go as they are. */
  async send(
    method: string,
    path: string,
    body?: string | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const verb = method.toLowerCase() as 'get' | 'put' | 'post' | 'delete' | 'head';
    const test = request(this.app.handler)[verb](path);
    if (body !== undefined) {
      void test
        .set({ 'Content-Type': 'application/json', ...headers })
        .send(typeof body === 'string' ? body : JSON.stringify(body));
    } else void test.set(headers);
    const answer = await test;
    return {
      status: answer.status,
      text: answer.text ?? '',
      body: answer.body as unknown,
      headers: answer.headers,
    };
  }

  /** Sends a request that has to succeed, and returns its parsed body. */
  async ok(method: string, path: string, body?: string | object): Promise<unknown> {
    const answer = await this.send(method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  }

  /** Status and body as one value, for `toEqual`. */
  async pair(method: string, path: string, body?: string | object): Promise<[number, unknown]> {
    const answer = await this.send(method, path, body);
    return [answer.status, answer.body];
  }

  /** Status and error text. */
  async error(method: string, path: string, body?: string | object): Promise<string> {
    const answer = await this.send(method, path, body);
    return `${answer.status} ${(answer.body as { error?: string }).error ?? ''}`;
  }

  /** Deletes all indices. */
  async reset(): Promise<void> {
    await this.ok('DELETE', '/_all');
  }

  /** Closes the node and starts it again over the same data. @throws Error when it does not start */
  async restart(): Promise<void> {
    this.app = await this.app.restart();
  }

  async close(): Promise<void> {
    await this.app.close();
  }
}
