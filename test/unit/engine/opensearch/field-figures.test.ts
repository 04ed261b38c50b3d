// What is asked of a field for its statistics, in documents and in nested objects.

import {
  boundRequest,
  countRequest,
} from '../../../../engine/opensearch/documents/remote-field-figures';
import type { MappedField } from '../../../../engine/mapping/index';

const mapped = {} as MappedField;
const ROOT = { of: 0, mapped, path: null, name: 'f33' };
const INNER = { of: 0, mapped, path: 'n6b', name: 'n6b.f33' };

test('documents and values are counted where the field may be', () => {
  const count = (field: string): object => ({
    filter: { exists: { field } },
    aggs: { values: { value_count: { field } } },
  });
  expect(countRequest([ROOT, INNER], ['n6b'])).toEqual({
    size: 0,
    track_total_hits: true,
    aggs: {
      n0: { nested: { path: 'n6b' } },
      v0: count('f33'),
      v1: { nested: { path: 'n6b' }, aggs: { there: count('n6b.f33') } },
    },
  });
});

test('bounds are the values of the first documents in both orders', () => {
  expect(boundRequest(ROOT, 'asc')).toMatchObject({
    query: { bool: { filter: [{ exists: { field: 'f33' } }] } },
    sort: [{ f33: { order: 'asc', mode: 'min' } }],
  });
  expect(boundRequest(INNER, 'desc')).toMatchObject({
    query: {
      bool: { filter: [{ nested: { path: 'n6b', query: { exists: { field: 'n6b.f33' } } } }] },
    },
    sort: [{ 'n6b.f33': { order: 'desc', mode: 'max', nested: { path: 'n6b' } } }],
  });
});
