// Snapshot repositories, and the names of snapshots, over HTTP with the texts of the reference server.

import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpClient } from '../support/http-client';
import { SnapshotNode } from '../support/snapshot-node';

let node: SnapshotNode;
let http: HttpClient;
let root: string;

beforeAll(async () => {
  node = await SnapshotNode.start();
  http = node.http;
  root = node.root;
});

afterEach(() => node.reset());

afterAll(() => node.close());

describe('repositories', () => {
  test('are shown with settings as text', async () => {
    await http.ok('PUT', '/_snapshot/r', {
      type: 'fs',
      settings: { location: 'shown', compress: true, chunk_size: '10m', n: 5 },
    });
    const shown = {
      type: 'fs',
      settings: { location: 'shown', compress: 'true', chunk_size: '10m', n: '5' },
    };
    expect(await http.ok('GET', '/_snapshot/r')).toEqual({ r: shown });
    expect(await http.ok('GET', '/_snapshot')).toEqual({ r: shown });
    const verified = (await http.ok('POST', '/_snapshot/r/_verify')) as { nodes: object };
    expect(Object.keys(verified.nodes)).toHaveLength(1);
    expect(await http.error('GET', '/_snapshot/r*')).toBe(
      '404 RepositoryMissingException[[r*] missing]',
    );
  });

  test.each(['/etc/nope', '../nope', 'a/../../nope', `a\0b`])(
    'cannot be at %j, outside of path.repo',
    async (location) => {
      const body = { type: 'fs', settings: { location } };
      const error = await http.error('PUT', '/_snapshot/bad', body);
      expect(error).toMatch(/^500 RepositoryException\[\[bad\] failed to create repository\]/);
      expect(error).toContain(`doesn't match any of the locations specified by path.repo`);
    },
  );

  test('cannot be behind a symbolic link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'facetd-outside-'));
    await symlink(outside, join(root, 'link'));
    for (const location of ['link', 'link/below']) {
      const body = { type: 'fs', settings: { location } };
      const error = await http.error('PUT', '/_snapshot/bad', body);
      expect(error).toMatch(/^500 RepositoryException\[\[bad\] is not accessible/);
    }
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  test('that lose their folder say so', async () => {
    await node.repo('r', 'lost');
    await rm(join(root, 'lost'), { recursive: true });
    for (const [method, path] of [
      ['GET', '/_snapshot/r/_all'],
      ['PUT', '/_snapshot/r/s'],
      ['POST', '/_snapshot/r/s/_restore'],
    ] as const) {
      expect(await http.error(method, path)).toMatch(/^500 RepositoryException\[\[r\] is not acc/);
    }
    expect(await http.error('POST', '/_snapshot/r/_verify')).toMatch(/^500 RepositoryException/);
  });
});

describe('names', () => {
  beforeEach(() => node.repo('r', 'names'));

  test.each([
    ['Upper', 'must be lowercase'],
    ['_under', "must not start with '_'"],
    ['a%20b', 'must not contain whitespace'],
    ['a%2Cb', "must not contain ','"],
    ['a%23b', "must not contain '#'"],
    ['..%2F..%2Fetc', 'must not contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]'],
  ])('%s is refused', async (name, reason) => {
    const plain = decodeURIComponent(name);
    const message = `[r:${plain}] Invalid snapshot name [${plain}], ${reason}`;
    const expected = `400 InvalidSnapshotNameException[${message}]`;
    expect(await http.error('PUT', `/_snapshot/r/${name}`)).toBe(expected);
    expect(await http.error('DELETE', `/_snapshot/r/${name}`)).toBe(expected);
  });

  test('of objects are only names', async () => {
    for (const name of ['__proto__', 'constructor']) {
      await http.ok('PUT', `/_snapshot/${name}`, { type: 'fs', settings: { location: 'names' } });
      expect(await http.send('GET', `/_snapshot/${name}/_all`)).toMatchObject({ status: 200 });
    }
    await node.take('constructor/constructor');
    const body = (await http.ok('GET', '/_snapshot/constructor/constructor')) as {
      snapshots: { snapshot: string }[];
    };
    expect(body.snapshots.map(({ snapshot }) => snapshot)).toEqual(['constructor']);
  });
});
