// A node with a folder for repositories, and short forms for making and restoring snapshots over HTTP.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient } from './http-client';

/** One node; repositories are folders below `root`. */
export class SnapshotNode {
  private constructor(
    readonly http: HttpClient,
    readonly root: string,
  ) {}

  static async start(): Promise<SnapshotNode> {
    const root = await mkdtemp(join(tmpdir(), 'facetd-repositories-'));
    return new SnapshotNode(await HttpClient.start({ 'path.repo': root }), root);
  }

  /** Registers a repository. */
  repo(name: string, location: string): Promise<unknown> {
    return this.http.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location } });
  }

  /** Makes the snapshot `repository/name`. */
  take(path: string, body?: object): Promise<unknown> {
    return this.http.ok('PUT', `/_snapshot/${path}?wait_for_completion=true`, body);
  }

  /** Restores the snapshot `repository/name`. */
  restore(path: string, body?: object): Promise<unknown> {
    return this.http.ok('POST', `/_snapshot/${path}/_restore?wait_for_completion=true`, body);
  }

  /** Names of the files with records in a repository. */
  chunks(location: string): Promise<string[]> {
    return readdir(join(this.root, location, 'chunks'));
  }

  /** How many documents an index has. */
  async count(index: string): Promise<number> {
    return ((await this.http.ok('GET', `/${index}/_count`)) as { count: number }).count;
  }

  /** Indexes documents with the ids `from` .. `to` - 1. */
  async fill(index: string, from: number, to: number): Promise<void> {
    const lines: string[] = [];
    for (let n = from; n < to; n++) lines.push(`{"index":{"_id":"${n}"}}`, `{"n":${n}}`);
    await this.http.ok('POST', `/${index}/t/_bulk`, `${lines.join('\n')}\n`);
  }

  /** Removes all indices, and forgets all repositories. */
  async reset(): Promise<void> {
    await this.http.reset();
    await this.http.ok('DELETE', '/_snapshot/*');
  }

  async close(): Promise<void> {
    await this.http.close();
    await rm(this.root, { recursive: true, force: true });
  }
}
