import { writeJson } from '../../../../engine/json/write';
import { parseJson } from '../../../../engine/json/parse';
import type { JsonObject } from '../../../../engine/json/json';
import { assertNotBlocked, type BlockLevel } from '../../../../engine/metadata/blocks';
import { replaceIndex, setIndexState } from '../../../../engine/metadata/changes';
import {
  flattenIndexSettings,
  flatSettings,
  nestSettings,
  refreshIntervalMs,
  updateSettings,
} from '../../../../engine/metadata/settings';
import { parseBytes } from '../../../../engine/metadata/setting-values';
import type { ClusterState } from '../../../../engine/metadata/state';
import { errorOf, stateOf } from './support';

const body = (text: string): JsonObject => parseJson(text) as JsonObject;
const flat = (text: string) => flattenIndexSettings(body(text));
const base = stateOf('a', 'b', '!z');

const update = (text: string, names = ['a', 'b'], state = base): ClusterState =>
  updateSettings(state, names, body(text));

describe('settings as reads show them', () => {
  test('nested, with lists as lists', () => {
    expect(
      writeJson(
        nestSettings(
          flat('{"a.b":"1","a":{"c":true},"l":["x","y"],"m.1":"q","m.0":"p","g.1":"x"}'),
        ),
      ),
    ).toBe('{"index":{"a":{"b":"1","c":"true"},"l":["x","y"],"m":["p","q"],"g":{"1":"x"}}}');
  });

  test('flat, with lists numbered', () => {
    expect(Object.fromEntries(flatSettings(flat('{"l":["x","y"],"a":{"b":1}}')))).toEqual({
      'index.l.0': 'x',
      'index.l.1': 'y',
      'index.a.b': '1',
    });
  });

  test('a name with a value and members keeps both', () => {
    expect(writeJson(nestSettings(flat('{"a":"1","a.b":"2","a.c.d":"3"}')))).toBe(
      '{"index":{"a":"1","a.b":"2","a.c":{"d":"3"}}}',
    );
  });

  test('with names that objects know', () => {
    expect(writeJson(nestSettings(flat('{"__proto__":{"constructor":"x"}}')))).toBe(
      '{"index":{"__proto__":{"constructor":"x"}}}',
    );
  });

  test('names of nothing but dots: those beyond a hundred levels stay', () => {
    const name = 'a.'.repeat(100_000);
    const shown = writeJson(nestSettings(new Map([[name, 'x']])));
    expect(shown).toBe(`${'{"a":'.repeat(99)}{"${name.slice(2 * 99)}":"x"}${'}'.repeat(99)}`);
  });

  test('of any depth', () => {
    const deep = '{"a":'.repeat(200) + '1' + '}'.repeat(200);
    expect([...flattenIndexSettings(body(deep)).values()]).toEqual(['1']);
  });
});

describe('updating settings', () => {
  test.each([
    '{"refresh_interval":"2s"}',
    '{"index":{"refresh_interval":"2s"}}',
    '{"index.refresh_interval":"2s"}',
    '{"settings":{"refresh_interval":"2s"}}',
    '{"settings":{"index":{"refresh_interval":"2s"}}}',
  ])('%s', (text) => {
    const state = update(text);
    for (const name of ['a', 'b']) {
      expect(state.indices.get(name)!.settings.get('index.refresh_interval')).toBe('2s');
    }
    expect(refreshIntervalMs(state.indices.get('a')!.settings)).toBe(2000);
  });

  test('to what they are changes nothing', () => {
    const state = update('{"refresh_interval":"2s"}');
    expect(update('{"refresh_interval":"2s"}', ['a', 'b'], state)).toBe(state);
  });

  test('takes effect on all indices or none', () => {
    expect(() => update('{"refresh_interval":"2s","foo":"x"}')).toThrow();
    expect(base.indices.get('a')!.settings.has('index.refresh_interval')).toBe(false);
  });

  const refused = '400 ElasticsearchIllegalArgumentException';
  const cannot = `${refused}[can't process the settings: `;
  test.each([
    ['{}', '400 ActionRequestValidationException[Validation Failed: 1: no settings to update;]'],
    [
      '{"a":null}',
      '400 ActionRequestValidationException[Validation Failed: 1: no settings to update;]',
    ],
    [
      '{"foo":"x","bar":1}',
      `${refused}[Can't update non dynamic settings[[index.foo, index.bar]] for open indices [[a, b]]]`,
    ],
    [
      '{"refresh_interval":["1s","2s"]}',
      `${refused}[Can't update non dynamic settings[[index.refresh_interval.0, index.refresh_interval.1]] for open indices [[a, b]]]`,
    ],
    [
      '{"number_of_shards":2,"foo":1}',
      `${refused}[can't change the number of shards for an index]`,
    ],
    [
      '{"number_of_replicas":"x"}',
      `${cannot}[[index.number_of_replicas] - cannot parse value [x] as an integer]]`,
    ],
    [
      '{"number_of_replicas":-1}',
      `${cannot}[[index.number_of_replicas] - the value of the setting index.number_of_replicas must be a non negative integer]]`,
    ],
    [
      '{"refresh_interval":"5x"}',
      `${cannot}[[index.refresh_interval] - cannot parse value [5x] as time]]`,
    ],
    [
      '{"refresh_interval":"","foo":1}',
      `${cannot}[[index.refresh_interval] - cannot parse value [] as time]]`,
    ],
    [
      '{"number_of_replicas":"x","refresh_interval":"abc"}',
      `${cannot}[[index.number_of_replicas] - cannot parse value [x] as an integer, [index.refresh_interval] - cannot parse value [abc] as time]]`,
    ],
    [
      '{"merge.policy.max_merge_at_once":1}',
      `${cannot}[[index.merge.policy.max_merge_at_once] - the value of the setting index.merge.policy.max_merge_at_once must be >= 2]]`,
    ],
    [
      '{"merge.policy.segments_per_tier":"1"}',
      `${cannot}[[index.merge.policy.segments_per_tier] - the value of the setting index.merge.policy.segments_per_tier must be >= 2.0]]`,
    ],
    [
      '{"translog.flush_threshold_size":"5%"}',
      `${cannot}[[index.translog.flush_threshold_size] - Failed to parse [5%]]]`,
    ],
    [
      '{"cache.query.enable":"zz"}',
      `${cannot}[[index.cache.query.enable] - cannot parse value [zz] as a boolean]]`,
    ],
    [
      '{"version_map_size":"zz"}',
      `${cannot}[[index.version_map_size] - the value [zz] for index.version_map_size must end with % or be a valid bytes size value, like [16mb]]]`,
    ],
  ])('refuses %s', (text, expected) => {
    expect(errorOf(() => update(text))).toBe(expected);
  });

  test.each([
    '{"refresh_interval":-1}',
    '{"refresh_interval":"1.5s"}',
    '{"number_of_replicas":0}',
    '{"blocks.write":"maybe"}',
    '{"auto_expand_replicas":"0-all"}',
    '{"routing.allocation.include.tag":"x"}',
    '{"translog.flush_threshold_size":"5kb"}',
    '{"version_map_size":"25%"}',
  ])('accepts %s', (text) => {
    expect(update(text)).not.toBe(base);
  });

  test('of a closed index may change anything but replicas and shards', () => {
    const state = update('{"analysis.analyzer.default.type":"simple","foo":["x"]}', ['z']);
    expect(state.indices.get('z')!.settings.get('index.foo')).toEqual(['x']);
    expect(errorOf(() => update('{"number_of_replicas":0}', ['a', 'z']))).toBe(
      `${refused}[Can't update [index.number_of_replicas] on closed indices [[z]] - can leave index in an unopenable state]`,
    );
    expect(errorOf(() => update('{"foo":1}', ['a', 'z']))).toBe(
      `${refused}[Can't update non dynamic settings[[index.foo]] for open indices [[a]]]`,
    );
    expect(errorOf(() => update('{"number_of_shards":7}', ['z']))).toContain("can't change");
  });

  test('a list takes the place of its numbered form', () => {
    const numbered = update('{"foo.0":"x","foo.1":"y"}', ['z']);
    const state = update('{"foo":["p"]}', ['z'], numbered);
    const settings = [...state.indices.get('z')!.settings].filter(([key]) => key.includes('foo'));
    expect(settings).toEqual([['index.foo', ['p']]]);
  });
});

describe('blocks', () => {
  const blocked = (key: string, value = 'true'): ClusterState => {
    const index = base.indices.get('a')!;
    return replaceIndex(base, { ...index, settings: new Map(index.settings).set(key, value) });
  };
  const texts = (state: ClusterState): string[] =>
    (['read', 'write', 'metadata_read', 'metadata_write'] satisfies BlockLevel[]).map((level) => {
      try {
        assertNotBlocked(state.indices.get('a')!, level);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });

  test.each([
    ['index.blocks.read_only', ['', 1, '', 1], '[FORBIDDEN/5/index read-only (api)];'],
    ['index.blocks.read', [1, '', '', ''], '[FORBIDDEN/7/index read (api)];'],
    ['index.blocks.write', ['', 1, '', ''], '[FORBIDDEN/8/index write (api)];'],
    ['index.blocks.metadata', ['', '', 1, 1], '[FORBIDDEN/9/index metadata (api)];'],
  ])('%s', (key, levels, text) => {
    expect(texts(blocked(key))).toEqual(
      levels.map((on) => (on === 1 ? `blocked by: ${text}` : '')),
    );
    expect(texts(blocked(key, 'no'))).toEqual(['', '', '', '']);
  });

  test('a closed index is blocked for documents', () => {
    const text = 'blocked by: [FORBIDDEN/4/index closed];';
    expect(texts(setIndexState(base, 'a', false))).toEqual([text, text, '', '']);
  });

  test('several blocks are listed', () => {
    const state = update('{"blocks":{"write":true,"read_only":true}}');
    expect(texts(state)[1]).toBe(
      'blocked by: [FORBIDDEN/5/index read-only (api)];[FORBIDDEN/8/index write (api)];',
    );
  });

  test('of metadata are lifted by an update of nothing else, spelled with its prefix', () => {
    const state = blocked('index.blocks.read_only');
    const text = '403 ClusterBlockException[blocked by: [FORBIDDEN/5/index read-only (api)];]';
    for (const change of [
      '{"blocks.read_only":false}',
      '{"index.blocks.read_only":false,"refresh_interval":"1s"}',
      '{"refresh_interval":"1s"}',
    ]) {
      expect(errorOf(() => update(change, ['a'], state))).toBe(text);
    }
    const lifted = update('{"index.blocks.read_only":false}', ['a'], state);
    expect(texts(lifted)).toEqual(['', '', '', '']);
    expect(() =>
      update('{"refresh_interval":"1s"}', ['a'], blocked('index.blocks.write')),
    ).not.toThrow();
  });
});

describe('values of settings', () => {
  test.each([
    ['100', 100],
    ['5b', 5],
    ['1k', 1024],
    ['1.5kb', 1536],
    ['2mb', 2 ** 21],
    ['1G', 2 ** 30],
    ['1tb', 2 ** 40],
    ['1pb', 2 ** 50],
    ['100MB', 104857600],
    ['1gib', 2 ** 30],
    [' 7 kb ', null],
    [' 7kb ', 7168],
    ['much', null],
    ['-5', -5],
    ['5%', null],
    ['', null],
    ['kb', null],
  ])('the size %s is %s bytes', (text, expected) => {
    expect(parseBytes(text)).toBe(expected);
  });

  test('the refresh interval is a second by default', () => {
    expect(refreshIntervalMs(new Map())).toBe(1000);
    expect(refreshIntervalMs(new Map([['index.refresh_interval', '-1']]))).toBe(-1);
    expect(refreshIntervalMs(new Map([['index.refresh_interval', 'bogus']]))).toBe(1000);
  });
});
