// Manifests come back as they were written, and not at all when a byte of them has changed.

import { EngineError } from '../../../../engine/errors';
import { JsonNumber } from '../../../../engine/json/json';
import type { IndexMetadata } from '../../../../engine/metadata/state';
import {
  chunksOf,
  decodeManifest,
  encodeManifest,
  type Manifest,
} from '../../../../engine/snapshots/manifest';
import { Random, testSeed } from '../../../support/random';

const FILE = 'a'.repeat(64);

const INDEX: IndexMetadata = {
  id: 3,
  name: '__proto__',
  uuid: 'u',
  state: 'open',
  settings: new Map<string, string | readonly string[]>([
    ['index.number_of_shards', '1'],
    ['index.list', ['a', 'b']],
  ]),
  mappings: new Map([['constructor', new Map([['n', new JsonNumber('1.50')]])]]),
  aliases: new Map(),
  warmers: new Map(),
  shardIds: [7],
  fields: new Map([['n\u0000long', { id: 40, name: 'n', kind: 'long' }]]),
  version: 9,
};

const MANIFEST: Manifest = {
  snapshot: 's',
  state: 'PARTIAL',
  startedAt: 1000,
  endedAt: 2000,
  global: { templates: new Map(), persistentSettings: new Map([['a', 'b']]) },
  indices: [
    {
      metadata: INDEX,
      shards: [
        {
          sequence: 12,
          documents: 5,
          startedAt: 1001,
          tookMs: 3,
          chunks: [
            { file: FILE, bytes: 100, documents: 5 },
            { file: FILE, bytes: 100, documents: 5 },
          ],
          failure: 'x',
        },
      ],
    },
  ],
};

test('a manifest is read as it was written', () => {
  expect(decodeManifest('m', encodeManifest(MANIFEST))).toEqual(MANIFEST);
  const bare = { ...MANIFEST, global: null, indices: [] };
  expect(decodeManifest('m', encodeManifest(bare))).toEqual(bare);
});

test('a file is counted once', () => {
  expect([...chunksOf(MANIFEST.indices).keys()]).toEqual([FILE]);
});

test('every changed byte and every cut is found', () => {
  const random = new Random(testSeed(41));
  const bytes = encodeManifest(MANIFEST);
  for (let round = 0; round < 300; round++) {
    const damaged = Buffer.from(bytes);
    damaged[random.below(bytes.length)]! ^= 1 << random.below(8);
    expect(() => decodeManifest('m', damaged)).toThrow(EngineError);
    expect(() => decodeManifest('m', bytes.subarray(0, random.below(bytes.length)))).toThrow(
      EngineError,
    );
  }
});
