// Put mapping beyond what the recorded answers show: types, `_default_`, ids of fields, paths of conflicts.

import { fieldKey } from '../../../../engine/mapping/compile';
import { FIRST_USER_FIELD_ID } from '../../../../engine/mapping/fields/field-sink';
import type { JsonObject } from '../../../../engine/json/index';
import { mergeDynamic, mergeDynamicSteps, putMapping } from '../../../../engine/mapping/merge';
import { errorOf, json, TestIndex } from './support';

const string = { type: 'string' };

describe('put mapping', () => {
  test('the type around the mapping may be left out', () => {
    const index = new TestIndex();
    const put = (body: unknown): void => {
      index.metadata = putMapping(index.metadata, 't', json(body), index.analysis, {
        ignoreConflicts: false,
        limits: index.limits,
      });
    };
    put({ properties: { a: string } });
    put({ t: { properties: { b: string } } });
    expect(index.getProperties()).toEqual({ a: string, b: string });
    expect(errorOf(() => put({}))).toBe(
      'MapperParsingException[malformed mapping no root object found]',
    );
    expect(errorOf(() => put({ x: { properties: {} } }))).toBe(
      'MapperParsingException[Root type mapping not empty after parsing! Remaining fields:   [x : {properties={}}]]',
    );
  });

  test('refuses what would change documents, as nothing runs it', () => {
    const index = new TestIndex({ t: { transform: null, properties: { a: string } } });
    const before = index.metadata;
    for (const transform of [{ script: 'ctx._source.b = 1' }, [], 'x', 1]) {
      for (const type of ['t', 'new', '_default_']) {
        expect(errorOf(() => index.put(type, { transform }, true))).toMatch(
          /^MapperParsingException\[\[transform\] of mapping \[(t|new|_default_)\] is not supported/,
        );
      }
    }
    expect(index.metadata).toBe(before);
  });

  test('types keep the order in which they were added', () => {
    const index = new TestIndex({ zz: {}, aa: {}, mm: {} });
    index.put('zz', { properties: { a: string } });
    expect(index.compile().types).toEqual(['zz', 'aa', 'mm']);
  });

  test('nothing is applied on conflict; with ignore_conflicts the rest is', () => {
    const index = new TestIndex({
      t: { properties: { s: string, o: { properties: { a: string, b: { type: 'integer' } } } } },
    });
    const body = {
      properties: {
        fine: string,
        s: { type: 'integer' },
        o: { properties: { a: { type: 'long' }, b: string, c: string } },
      },
    };
    const before = index.metadata;
    expect(errorOf(() => index.put('t', body))).toBe(
      'MergeMappingException[Merge failed with failures {[mapper [s] of different type, current_type [string], merged_type [integer], mapper [o.a] of different type, current_type [string], merged_type [long], mapper [o.b] of different type, current_type [integer], merged_type [string]]}]',
    );
    expect(index.metadata).toBe(before);
    index.put('t', body, true);
    expect(index.getProperties()).toEqual({
      fine: string,
      s: string,
      o: { properties: { a: string, b: { type: 'integer' }, c: string } },
    });
  });
});

describe('_default_', () => {
  test('is merged under types added later and only then', () => {
    const index = new TestIndex({
      early: {},
      _default_: { dynamic: 'strict', properties: { q: { type: 'integer' } } },
    });
    index.put('own', { dynamic: true, properties: { q: string, r: string } });
    expect(index.check('{"q":1}', 'late')).toBeNull();
    expect(index.check('{"zz":1}', 'late')).toContain('StrictDynamicMappingException');
    index.put('_default_', { properties: { r: { type: 'long' } } });
    expect(index.check('{"r":1,"s":2}', 'last')).toBeNull();
    expect(index.get('early')).toEqual({ properties: {} });
    // Defaults are merged into options of the same field as well.
    expect(index.get('own')).toEqual({ dynamic: 'true', properties: { q: string, r: string } });
    expect(index.get('late')).toEqual({
      dynamic: 'strict',
      properties: { q: { type: 'integer' } },
    });
    expect(index.get('_default_')).toEqual({ properties: { r: { type: 'long' } } });
    expect(index.getProperties('last')).toEqual({ r: { type: 'long' }, s: { type: 'long' } });
    expect(index.compile().types).not.toContain('_default_');
  });

  test('templates are merged by name, the type first', () => {
    const index = new TestIndex({
      _default_: {
        dynamic_templates: [
          { a: { match: 'a*', mapping: { type: 'integer' } } },
          { b: { match: '*', mapping: { type: 'string', index: 'no' } } },
        ],
      },
    });
    index.put('t', { dynamic_templates: [{ a: { match: 'x*', mapping: { type: 'date' } } }] });
    expect(index.get()).toMatchObject({
      dynamic_templates: [
        { a: { match: 'x*', mapping: { type: 'date' } } },
        { b: { match: '*', mapping: { type: 'string', index: 'no' } } },
      ],
    });
  });
});

describe('field ids', () => {
  test('one per name and kind, shared by types, never reused', () => {
    const index = new TestIndex({
      a: { properties: { f: string, g: string, geo: { type: 'geo_point', lat_lon: true } } },
    });
    const first = new Map(index.metadata.fields);
    index.put('b', { properties: { f: { type: 'integer' }, g: string, h: { type: 'date' } } });
    const { fields } = index.metadata;
    for (const [key, identity] of first) expect(fields.get(key)).toEqual(identity);
    expect(fields.get(fieldKey('f', 'string'))?.id).not.toBe(fields.get(fieldKey('f', 'int'))?.id);
    const ids = [...fields.values()].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.min(...ids)).toBe(FIRST_USER_FIELD_ID);
    expect([...fields.keys()]).toEqual([
      'f\u0000string',
      'g\u0000string',
      'geo\u0000geo',
      'geo.lat\u0000double',
      'geo.lon\u0000double',
      'f\u0000int',
      'h\u0000long',
    ]);
    // A type that is dropped leaves its ids behind.
    index.metadata = {
      ...index.metadata,
      mappings: new Map([...index.metadata.mappings].filter(([type]) => type !== 'b')),
    };
    index.put('c', { properties: { k: string } });
    expect(index.metadata.fields.get(fieldKey('k', 'string'))?.id).toBe(Math.max(...ids) + 1);
  });

  test('fields that write nothing have none', () => {
    const index = new TestIndex({ t: { properties: { a: { ...string, index: 'no' } } } });
    expect(index.metadata.fields.size).toBe(0);
    expect(index.compile().find('a', [])?.mapped.field).toBeNull();
  });

  test('equal definitions share one field object', () => {
    const index = new TestIndex({
      a: { properties: { f: string } },
      b: { properties: { f: string } },
      c: { properties: { f: { ...string, analyzer: 'simple' } } },
    });
    const mapping = index.compile();
    const field = (type: string) => mapping.find('f', [type])?.mapped.field;
    expect(field('a')).toBe(field('b'));
    expect(field('c')).not.toBe(field('a'));
    expect(field('c')?.id).toBe(field('a')?.id);
  });

  test('a mapping that changes nothing keeps the field table', () => {
    const index = new TestIndex({ t: { properties: { a: string } } });
    const { fields } = index.metadata;
    index.put('t', { properties: { a: string } });
    expect(index.metadata.fields).toBe(fields);
  });
});

describe('fields that documents add', () => {
  const update = json(
    '{"properties":{"a":{"type":"long"},"o":{"properties":{"b":{"type":"string"}}}}}',
  );
  const steps = (index: TestIndex, fields: JsonObject) =>
    mergeDynamicSteps(index.metadata, 't', fields, index.analysis, index.limits);

  test('are merged in steps with the same result', () => {
    const index = new TestIndex({ t: { properties: { c: string } } });
    const merging = steps(index, update);
    let taken = 0;
    let step = merging.next();
    for (; step.done !== true; step = merging.next()) taken++;
    // Reading them, putting them into the mapping, and giving them ids.
    expect(taken).toBe(2);
    const atOnce = mergeDynamic(index.metadata, 't', update, index.analysis, index.limits);
    expect(step.value).toEqual(atOnce);
  });

  test('are refused in the first steps', () => {
    const index = new TestIndex({ t: { properties: { a: string } } });
    const merging = steps(index, update);
    expect(errorOf(() => [...merging])).toMatch(/^MergeMappingException\[Merge failed/);
  });
});
