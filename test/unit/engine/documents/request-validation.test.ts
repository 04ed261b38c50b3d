import { checkRequests, validateWrite } from '../../../../engine/documents/request-validation';
import { parseJsonObject } from '../../../../engine/json/parse';
import { indexRequest } from '../../../support/engine';
import { errorOf } from '../metadata/support';
import type { BulkAction, UpdateRequest } from '../../../../engine/api/documents';

const index = (changes: object): BulkAction => ({
  kind: 'index',
  request: indexRequest('i', 't', '1', {}, changes),
});

function update(body: string, changes: Partial<UpdateRequest> = {}): BulkAction {
  const shared = indexRequest('i', 't', '1', {});
  return {
    kind: 'update',
    request: {
      ...shared,
      id: '1',
      body: parseJsonObject(body),
      retryOnConflict: 0,
      fields: undefined,
      ...changes,
    },
  };
}

test.each([
  [{}, []],
  [{ version: 0 }, []],
  [{ version: -7 }, ['illegal version value [-7] for version type [INTERNAL]']],
  [{ versionType: 'external', version: 5 }, []],
  [{ versionType: 'external' }, ['illegal version value [-3] for version type [EXTERNAL]']],
  [{ versionType: 'force' }, ['illegal version value [-3] for version type [FORCE]']],
  // A create without a version is no exception.
  [
    { versionType: 'external_gte', create: true },
    ['illegal version value [-3] for version type [EXTERNAL_GTE]'],
  ],
])('index with %j', (changes, problems) => {
  expect(validateWrite(index(changes))).toEqual(problems);
});

test.each<[string, Partial<UpdateRequest>, string[]]>([
  ['{"doc":{}}', {}, []],
  ['{"script":"x"}', {}, []],
  ['{"doc":null}', {}, []],
  ['{}', {}, ['script or doc is missing']],
  ['{"script":{}}', {}, ['script or doc is missing']],
  [
    '{"doc_as_upsert":"yes"}',
    {},
    ['script or doc is missing', 'doc must be specified if doc_as_upsert is enabled'],
  ],
  [
    '{}',
    { versionType: 'external' },
    ['version type [EXTERNAL] is not supported by the update API', 'script or doc is missing'],
  ],
  ['{"doc":{}}', { versionType: 'force' }, ['illegal version value [-3] for version type [FORCE]']],
  [
    '{"doc":{},"script":"x"}',
    { version: -9, retryOnConflict: 2 },
    [
      "can't provide both retry_on_conflict and a specific version",
      'illegal version value [-9] for version type [INTERNAL]',
      "can't provide both script and doc",
    ],
  ],
])('update %s with %j', (body, changes, problems) => {
  expect(validateWrite(update(body, changes))).toEqual(problems);
});

test('problems of several actions are numbered through', () => {
  expect(errorOf(() => checkRequests([index({ version: -1 }), index({}), update('{}')]))).toBe(
    '400 ActionRequestValidationException[Validation Failed: ' +
      '1: illegal version value [-1] for version type [INTERNAL];2: script or doc is missing;]',
  );
});
