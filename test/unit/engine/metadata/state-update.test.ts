import {
  addIndex,
  EMPTY_STATE,
  removeIndices,
  replaceIndex,
} from '../../../../engine/metadata/changes';
import { applyStateUpdate, encodeStateUpdate } from '../../../../engine/metadata/state-update';
import type { ClusterState, IndexMetadata } from '../../../../engine/metadata/state';
import { parseJsonObject } from '../../../../engine/json/parse';

function index(name: string, id: number): IndexMetadata {
  return {
    ...{ id, name, uuid: `uuid-${id}`, state: 'open', version: 1, shardIds: [id * 10] },
    settings: new Map([['index.number_of_shards', '1']]),
    mappings: new Map([
      ['doc', parseJsonObject('{"properties":{"n":{"type":"long"},"__proto__":{"type":"ip"}}}')],
    ]),
    aliases: new Map(),
    warmers: new Map(),
    fields: new Map([['n\u0000long', { id: 0, name: 'n', kind: 'long' }]]),
  };
}

/** What another thread has after an update; it gets a structured clone. */
function sent(
  known: ClusterState | null,
  from: ClusterState | null,
  to: ClusterState,
): ClusterState {
  return applyStateUpdate(known, structuredClone(encodeStateUpdate(from, to)));
}

test('a state arrives whole, and its changes one by one', () => {
  const first = addIndex(addIndex(EMPTY_STATE, index('b', 1)), index('a', 2));
  const known = sent(null, null, first);
  expect(known.indices).toEqual(first.indices);
  expect([...known.indices.keys()]).toEqual(['b', 'a']);

  const b = first.indices.get('b')!;
  const alias = { name: 'x', indexRouting: null, searchRouting: 'r', isWriteIndex: null };
  const second = replaceIndex(first, {
    ...b,
    aliases: new Map([['x', { ...alias, filter: parseJsonObject('{"term":{"n":1}}') }]]),
  });
  const next = sent(known, first, second);
  expect(next.indices).toEqual(second.indices);
  expect(next.version).toBe(second.version);
  // What was compiled of these is kept.
  expect(next.indices.get('a')).toBe(known.indices.get('a'));
  expect(next.indices.get('b')!.mappings).toBe(known.indices.get('b')!.mappings);
  expect(next.indices.get('b')!.settings).toBe(known.indices.get('b')!.settings);

  const third = addIndex(removeIndices(second, ['b']), index('b', 3));
  const last = sent(next, second, third);
  expect(last.indices).toEqual(third.indices);
  expect([...last.indices.keys()]).toEqual(['a', 'b']);
});

test('an update that does not follow what is known is refused', () => {
  const first = addIndex(EMPTY_STATE, index('a', 1));
  const second = replaceIndex(first, { ...first.indices.get('a')!, warmers: new Map() });
  expect(() => sent(null, first, second)).toThrow('cluster metadata');
});
