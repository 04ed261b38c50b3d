import fc from 'fast-check';
import { JsonNumber, type JsonObject, type JsonValue } from '../../../../engine/json/json';
import { parseJson } from '../../../../engine/json/parse';
import { writeJson } from '../../../../engine/json/write';
import {
  addIndex,
  EMPTY_STATE,
  putTemplate,
  removeIndices,
  removeTemplates,
  replaceIndex,
} from '../../../../engine/metadata/changes';
import { decodeState, encodeChanges } from '../../../../engine/metadata/codec';
import type { ClusterState, IndexMetadata } from '../../../../engine/metadata/state';
import { add, create, errorOf, json, stateOf, withAliases } from './support';

/** Keeps metadata values as the storage does. */
class Stored {
  readonly values = new Map<string, Buffer>();
  private state = EMPTY_STATE;

  save(state: ClusterState): void {
    const { put, remove } = encodeChanges(this.state, state);
    for (const [name, value] of put) this.values.set(name, value);
    for (const name of remove) this.values.delete(name);
    this.state = state;
  }
}

const reload = (...states: readonly ClusterState[]): ClusterState => {
  const stored = new Stored();
  for (const state of states) stored.save(state);
  return decodeState(stored.values);
};

describe('encoding the cluster state', () => {
  test('of an empty node', () => {
    expect(decodeState(new Map())).toEqual(EMPTY_STATE);
    expect(reload(EMPTY_STATE)).toEqual(EMPTY_STATE);
  });

  test('keeps everything', () => {
    let state = stateOf('a', '!b');
    state = withAliases(state, [
      add('a', '__proto__', {
        indexRouting: '1',
        searchRouting: '1,2',
        filter: { term: { n: 1 } },
      }),
      add('b', 'x'),
    ]);
    const index = state.indices.get('a')!;
    const mapping = parseJson(
      '{"properties":{"2":{},"1":{},"__proto__":{"type":"string"},"f":1.50}}',
    );
    state = replaceIndex(state, {
      ...index,
      settings: new Map<string, string | readonly string[]>(index.settings).set('index.list', [
        'a',
        'b',
      ]),
      mappings: new Map([['t', mapping as JsonObject]]),
      warmers: new Map([['w', json({ source: {} })]]),
      fields: new Map([
        ['price\u0000long', { id: 32, name: 'price', kind: 'long' }],
        ['price\u0000string', { id: 33, name: 'price', kind: 'string' }],
      ]),
    });
    state = putTemplate(state, 't', json({ template: 'a*', order: 1 }));
    state = {
      ...state,
      persistentSettings: new Map([['k', 'v']]),
      keyUses: new Map([['a', 5]]),
      repositories: new Map([['r', json({ type: 'fs' })]]),
    };
    const loaded = reload(state);
    expect(loaded).toEqual(state);
    expect(writeJson(loaded.indices.get('a')!.mappings)).toBe(
      '{"t":{"properties":{"2":{},"1":{},"__proto__":{"type":"string"},"f":1.50}}}',
    );
  });

  test('writes only what changed', () => {
    const before = stateOf('a', 'b');
    const after = withAliases(before, [add('b', 'x')]);
    const { put, remove } = encodeChanges(before, after);
    expect(put.map(([name]) => name)).toEqual(['cluster', 'index/2']);
    expect(remove).toEqual([]);
    expect(
      encodeChanges(before, putTemplate(before, 't', json({}))).put.map(([name]) => name),
    ).toEqual(['cluster', 'templates']);
  });

  test('a deleted index does not come back, nor its ids', () => {
    const before = stateOf('a', 'b');
    const deleted = removeIndices(before, ['a']);
    expect(encodeChanges(before, deleted).remove).toEqual(['index/1']);
    const again = create(deleted, 'a');
    const loaded = reload(before, deleted, again);
    expect(loaded).toEqual(again);
    expect(loaded.indices.get('a')!.id).toBe(3);
    expect([...loaded.indices.keys()]).toEqual(['b', 'a']);
  });

  test('templates can be removed', () => {
    const state = putTemplate(EMPTY_STATE, 't', json({}));
    expect(reload(state, removeTemplates(state, ['t'])).templates.size).toBe(0);
    expect(removeTemplates(state, ['x'])).toBe(state);
  });

  test('leaves values of others alone', () => {
    const stored = new Stored();
    stored.save(stateOf('a'));
    stored.values.set('segments/next', Buffer.from('7'));
    expect([...decodeState(stored.values).indices.keys()]).toEqual(['a']);
  });
});

describe('damaged metadata', () => {
  const damaged = (name: string, value: string): string => {
    const stored = new Stored();
    stored.save(stateOf('a'));
    stored.values.set(name, Buffer.from(value));
    return errorOf(() => decodeState(stored.values));
  };

  test.each([
    ['cluster', '{"format":2}', '[cluster.format]'],
    ['cluster', '[]', '[cluster]'],
    ['cluster', '{"for', '[cluster]'],
    ['index/1', '{}', '[index/1.state]'],
    ['index/1', '{"state":"open","fields":[[1,2]]}', '[index/1.fields]'],
  ])('%s as %s is refused', (name, value, part) => {
    expect(damaged(name, value)).toContain(
      `500 CorruptIndexException[cluster metadata ${part} cannot be read]`,
    );
  });
});

describe('any state', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('__proto__', 'constructor', '7', '10', 'a.b', ''),
  );
  const map = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Map<string, T>> =>
    fc.array(fc.tuple(text, value), { maxLength: 4 }).map((entries) => new Map(entries));
  const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, true, false),
      text,
      fc
        .constantFrom('1', '-0', '1.50', '1e3', '123456789012345678901')
        .map((number) => new JsonNumber(number)),
      fc.array(tie('value'), { maxLength: 3 }),
      map(tie('value')),
    ),
  })).value;
  const object = map(value);
  const alias = fc.record({
    filter: fc.option(object),
    indexRouting: fc.option(text),
    searchRouting: fc.option(text),
    isWriteIndex: fc.option(fc.boolean()),
  });
  const index = fc.record({
    name: text,
    uuid: text,
    state: fc.constantFrom<'open' | 'close'>('open', 'close'),
    settings: map<string | readonly string[]>(fc.oneof(text, fc.array(text, { maxLength: 3 }))),
    mappings: map(object),
    aliases: map(alias).map(
      (entries) => new Map([...entries].map(([name, entry]) => [name, { name, ...entry }])),
    ),
    warmers: map(object),
    shards: fc.integer({ min: 1, max: 3 }),
    fields: fc.array(text, { maxLength: 3 }),
    version: fc.nat(),
  });
  const step = fc.record({ index, template: fc.tuple(text, object), removed: fc.nat() });

  test('survives being stored change by change', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5 }), (steps) => {
        const stored = new Stored();
        let state = EMPTY_STATE;
        for (const { index: made, template, removed } of steps) {
          const { shards, fields, ...rest } = made;
          const metadata: IndexMetadata = {
            ...rest,
            id: state.nextIndexId,
            shardIds: Array.from({ length: shards }, (_, i) => state.nextShardId + i),
            fields: new Map(
              fields.map((name, i) => [
                `${name}\u0000string`,
                { id: 32 + i, name, kind: 'string' },
              ]),
            ),
          };
          state = addIndex(removeIndices(state, [metadata.name]), metadata);
          if (removed % 4 === 0)
            state = removeIndices(state, [...state.indices.keys()].slice(0, 1));
          state = putTemplate(state, ...template);
          stored.save(state);
        }
        const loaded = decodeState(stored.values);
        expect(loaded).toEqual(state);
        expect([...loaded.indices.keys()]).toEqual([...state.indices.keys()]);
      }),
      { numRuns: 200 },
    );
  });
});
