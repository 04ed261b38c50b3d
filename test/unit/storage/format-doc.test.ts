// The hex dumps in docs/format.md are what the code writes today.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { frameValue } from '../../../storage/codec';
import * as keys from '../../../storage/keys';
import { encodeStamp } from '../../../storage/stamp';
import * as values from '../../../storage/values';
import { hexDump as dump } from '../../support/hex-dump';

const NODE_ID = '6f1c2b7e-94d0-4b0a-8f1e-0c5a3d2e1f00';
const EMPTY = Buffer.alloc(0);

function pair(key: Buffer, value: Buffer): string {
  return `${dump('key', key)}\n${dump('value', value)}`;
}

function examples(): Map<string, string> {
  const found = new Map<string, string>();
  const record = keys.recordKey(7, 42);
  found.set(
    'record',
    pair(
      record,
      values.encodeRecord(record, {
        op: 'index',
        type: 'book',
        id: 'b-1',
        version: 300,
        routing: 'eu',
        parent: null,
        timestamp: 1400000000000,
        expiry: null,
        supersedes: 17,
        source: Buffer.from('{"title":"Dune"}'),
      }),
    ),
  );
  const uid = keys.uidKey(7, 'book', 'b-1');
  found.set(
    'uid',
    pair(uid, values.encodeUid(uid, { sequence: 42, version: 300, deleted: false, deletedAt: 0 })),
  );
  found.set(
    'tombstone',
    pair(
      uid,
      values.encodeUid(uid, {
        sequence: 43,
        version: 301,
        deleted: true,
        deletedAt: 1400000000000,
      }),
    ),
  );
  const commit = keys.commitKey(7);
  found.set(
    'commit',
    pair(
      commit,
      values.encodeCommit(commit, {
        generation: 3,
        sequence: 42,
        segments: [
          {
            id: 11,
            blocks: 5,
            bytes: 70000,
            docCount: 40,
            deletedCount: 1,
            rootCount: 40,
            deletedRootCount: 1,
            minSequence: 1,
            maxSequence: 42,
            deletionChunks: [3],
          },
        ],
      }),
    ),
  );
  const metadata = keys.metadataKey('index/17');
  found.set('metadata', pair(metadata, frameValue(metadata, Buffer.from('{"name":"books"}'))));
  const batch = keys.batchNumberKey(123456);
  found.set('batch number', pair(batch, frameValue(batch, EMPTY)));
  found.set(
    'batch floor',
    pair(keys.BATCH_FLOOR_KEY, values.encodeBatchFloor(keys.BATCH_FLOOR_KEY, 123000)),
  );
  const build = keys.buildIntentKey(12);
  found.set('build intent', pair(build, frameValue(build, EMPTY)));
  const removal = keys.deleteIntentKey(7);
  found.set('delete intent', pair(removal, values.encodeDeleteIntent(removal, [11, 12])));
  found.set('identity', pair(keys.IDENTITY_KEY, values.encodeIdentity(keys.IDENTITY_KEY, NODE_ID)));
  const block = keys.blockKey(11, 0);
  found.set('block', pair(block, frameValue(block, Buffer.from('(block bytes)'))));
  const deletions = keys.deletionsKey(11, 0, 3);
  found.set('deletion chunk', pair(deletions, frameValue(deletions, Buffer.from([0, 0, 0x10, 0]))));
  found.set('stamp', dump('file', encodeStamp({ nodeId: NODE_ID, state: 'open', batch: 123456 })));
  return found;
}

/** Fenced blocks that are introduced by a line `Example (name):`. */
function documented(): Map<string, string> {
  const text = readFileSync(join(__dirname, '../../../docs/format.md'), 'utf8');
  const found = new Map<string, string>();
  for (const match of text.matchAll(/^Example \(([^)]+)\):\n+```\n([\s\S]*?)\n```$/gm)) {
    found.set(match[1] ?? '', match[2] ?? '');
  }
  return found;
}

describe('docs/format.md', () => {
  test.each([...examples()])('shows the bytes of a %s as they are written', (name, expected) => {
    expect(documented().get(name)).toBe(expected);
  });
});
