// Which field a facet's name means, with real mappings: types in the URL, fields without an index,
// metadata fields, and indices that disagree.

import type { Engine } from '../../../../engine/index';
import { EngineError } from '../../../../engine/errors';
import { parseJsonObject } from '../../../../engine/json/parse';
import { writeJson } from '../../../../engine/json/write';
import { EngineFolder, indexRequest, OPEN_INDICES } from '../../../support/engine';

const ZOO = {
  mappings: {
    doc: {
      properties: {
        s: { type: 'string', index: 'not_analyzed' },
        whole: { type: 'string', analyzer: 'keyword' },
        n: { type: 'integer' },
        ip: { type: 'ip' },
        ok: { type: 'boolean' },
        silent: { type: 'integer', index: 'no' },
        mute: { type: 'string', index: 'no' },
        kids: { type: 'nested', properties: { name: { type: 'string' }, age: { type: 'long' } } },
      },
    },
    pet: { properties: { s: { type: 'string', index: 'not_analyzed' }, age: { type: 'byte' } } },
  },
};

let folder: EngineFolder;
let engine: Engine;

beforeAll(async () => {
  folder = await EngineFolder.create();
  engine = await folder.open();
  await engine.admin.createIndex('zoo', parseJsonObject(JSON.stringify(ZOO)));
  const zoo = [
    { s: 'a', whole: '', n: [3, 1, 3], ip: '10.0.0.1', silent: 1, kids: [{ name: 'x', age: 2 }] },
    { s: ['a', 'b'], whole: ['x y', ''], ok: true },
  ];
  for (const [i, source] of zoo.entries()) {
    await engine.index(indexRequest('zoo', 'doc', String(i), source));
  }
  await engine.index(indexRequest('zoo', 'pet', '9', { s: 'c', age: 5 }));
  await engine.index(indexRequest('other', 'doc', '1', { s: 7, n: 1, only: 1 }));
  await engine.maintenance.refresh([], OPEN_INDICES);
});

afterAll(() => folder.remove());

async function facet(definition: object, indices: string[], types: string[], body = {}) {
  const text = JSON.stringify({ size: 0, ...body, facets: { x: definition } });
  const response = await engine.search({
    indices,
    types,
    options: OPEN_INDICES,
    searchType: undefined,
    body: parseJsonObject(text),
    bodyText: text,
    params: new Map(),
    routing: undefined,
    preference: undefined,
  });
  return writeJson((response.facets as ReadonlyMap<string, never>).get('x')!);
}

const of = (definition: object, types: string[] = []) => facet(definition, ['zoo'], types);

async function reason(definition: object, types: string[] = []): Promise<string> {
  const error: unknown = await of(definition, types).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(EngineError);
  expect((error as EngineError).status).toBe(400);
  const { message } = error as EngineError;
  return message.slice(message.indexOf('; nested: ') + 10, -'; }'.length);
}

test('types of the URL are the only ones in which plain names are looked up', async () => {
  expect(await of({ terms: { field: 'n' } }, ['pet'])).toContain('"missing":1,"total":0');
  expect(await of({ terms: { field: 'doc.n' } }, ['pet'])).toContain('"missing":1,"total":0');
  expect(await of({ statistical: { field: 'doc.n' } }, ['pet', 'nope'])).toContain('"count":0');
  expect(await of({ statistical: { field: 'age' } }, ['nope', 'pet'])).toContain('"total":5.0');
  expect(await reason({ statistical: { field: 'n' } }, ['pet'])).toBe(
    'FacetPhaseExecutionException[Facet [x]: No mapping found for field [n]]',
  );
  expect(await reason({ terms: { field: 's' }, nested: 'kids' }, ['pet'])).toContain(
    'Parse Failure [facet nested path [kids] not found]',
  );
  expect(await of({ terms: { field: 's' }, nested: 'doc.kids' }, ['pet'])).toContain('"missing":0');
});

test('a field that is mapped without an index has no value, but is there', async () => {
  expect(await of({ terms: { field: 'silent' } })).toContain('"missing":3,"total":0');
  expect(await of({ terms: { fields: ['s', 'silent', 'mute', 'nope'] } })).toContain(
    '"missing":6,"total":4,"other":0',
  );
  expect(await of({ terms: { fields: ['silent', 'mute'] } })).toContain('"missing":6,"total":0');
  expect(await of({ terms: { fields: ['_id', 's'] } })).toContain('"missing":3,"total":4');
  expect(await of({ statistical: { field: 'silent' } })).toContain('"count":0,"total":0.0');
});

test('statistical takes number fields only, and names others as the reference does', async () => {
  const failure = (message: string) => `FacetPhaseExecutionException[Facet [x]: ${message}]`;
  expect(await of({ statistical: { fields: ['n', 'ip', 'doc.n'] } })).toContain('"count":5');
  expect(await of({ statistical: { field: ['s', 'n'] } })).toContain('"count":2,"total":4.0');
  expect(await reason({ statistical: { field: 'ok' } })).toBe(
    failure("field [ok] isn't a number field, but a string"),
  );
  expect(await reason({ statistical: { field: '_type' } })).toBe(
    failure("field [_type] isn't a number field, but a string"),
  );
  expect(await reason({ statistical: { fields: ['mute'] } })).toBe(
    failure("field [null] isn't a number field, but a string"),
  );
  expect(await reason({ statistical: { field: 5 } })).toBe(
    failure('No mapping found for field [5]'),
  );
  expect(await reason({ statistical: {} })).toBe(
    failure('statistical facet requires either [script] or [field] to be set'),
  );
});

test('the empty text is a token of the keyword analyzer', async () => {
  expect(await of({ terms: { field: 'whole' } })).toBe(
    '{"_type":"terms","missing":1,"total":3,"other":0,"terms":[{"term":"","count":2},{"term":"x y","count":1}]}',
  );
});

test('_source has no terms', async () => {
  expect(await reason({ terms: { field: '_source' } })).toBe(
    'ElasticsearchIllegalArgumentException[found no fielddata type for field [_source]]',
  );
});

test('a pattern is read before the field is missed', async () => {
  expect(await reason({ terms: { regex: '(' } })).toContain('PatternSyntaxException');
});

test('indices disagree about a type unless the text is that of no document', async () => {
  const both = ['zoo', 'other'];
  const conflict = { status: 503 };
  const terms = { terms: { field: 's' } };
  await expect(facet(terms, both, [])).rejects.toMatchObject(conflict);
  const inZoo = { query: { term: { ok: 'T' } } };
  await expect(facet(terms, both, [], inZoo)).rejects.toMatchObject(conflict);
  const inOther = { query: { term: { only: 1 } } };
  expect(await facet(terms, both, [], inOther)).toContain('"terms":[{"term":7,"count":1}]');
});
