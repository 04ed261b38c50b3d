// Span queries: what they are parsed to, and what is said of malformed ones.

import { parseQuery } from '../../../../../engine/query/parse/parse';
import { context, failure, json, query } from './support';

const a = { span_term: { t: 'a' } };
const b = { span_term: { t: { value: 'b', boost: 3, _name: 'n' } } };

const refusal = (body: unknown): string =>
  failure(() => parseQuery(json(body) as Parameters<typeof parseQuery>[0], context()));

test.each([
  [a, 't:a'],
  [{ spanTerm: { t: { term: 1.5, boost: 2 } } }, 't:1.5^2'],
  [{ span_term: { 'd.t': 'a' } }, 't:a'],
  [{ span_term: { nowhere: 'a' } }, 'nowhere:a'],
  [{ span_term: { n: 7 } }, 'multi(n:{7})'],
  [{ span_near: { clauses: [a, b], slop: 2 } }, 'ordered~2(t:a, n@t:b)'],
  [{ spanNear: { clauses: [a], slop: '1', inOrder: 'no' } }, 'near~1(t:a)'],
  [{ span_or: { clauses: ['passed over', a, b], boost: 2 } }, 'or(t:a, n@t:b)^2'],
  [{ spanFirst: { match: a, end: 3.7, _name: 'f' } }, 'f@first(t:a, 3)'],
  [{ span_not: { include: a, exclude: b, dist: 2 } }, 'not(t:a, n@t:b, 2, 2)'],
  [{ spanNot: { include: a, exclude: b, pre: -1, post: 1 } }, 'not(t:a, n@t:b, 0, 1)'],
  [{ span_multi: { match: { prefix: { t: { value: 'x', _name: 'p' } } } } }, 'p@multi(t:x*)'],
  [{ spanMulti: { match: { query_string: { query: 't:x*' } } } }, 'multi(t:x*)'],
  [{ fieldMaskingSpan: { query: a, field: 'u', boost: 4 } }, 'mask(t:a as u)^4'],
  [{ span_or: { clauses: [{ filtered: { query: a } }] } }, 'or(t:a)'],
])('%j', (body, expected) => {
  expect(query(body)).toBe(expected);
});

test.each([
  [{ span_term: { t: {} } }, 'QueryParsingException[[i] No value specified for term query]'],
  [{ span_term: [{ t: 'a' }] }, '[span_term] query does not support [t]'],
  [{ span_term: { t: 'a', u: 'b' } }, 'Expected field name but got VALUE_STRING "u"'],
  [{ span_near: { clauses: [] } }, 'span_near must include [clauses]'],
  [{ span_near: { clauses: [a] } }, 'span_near must include [slop]'],
  [{ span_near: { clauses: [a], slop: null } }, '[span_near] query does not support [slop]'],
  [{ span_near: { clauses: [[a]], slop: 1 } }, '[span_near] query does not support [clauses]'],
  [
    { span_near: { clauses: [{ term: { t: 'a' } }], slop: 1 } },
    'spanNear [clauses] must be of type span query',
  ],
  [{ span_near: [{ clauses: [a], slop: 1 }] }, '[span_near] query does not support [null]'],
  [
    { span_near: { clauses: [a, { span_term: { u: 'b' } }], slop: 1 } },
    'IllegalArgumentException[Clauses must have same field.]',
  ],
  [
    { span_or: { clauses: [{ span_term: { x1: 'a' } }, { span_term: { x2: 'a' } }] } },
    'IllegalArgumentException[Clauses must have same field.]',
  ],
  [{ span_or: {} }, 'spanOr must include [clauses]'],
  [{ span_first: { match: a } }, 'spanFirst must have [end] set for it'],
  [{ span_first: { match: a, end: null } }, 'JsonParseException[Current token (VALUE_NULL)'],
  [
    { span_not: { include: a, exclude: { term: { t: 'a' } } } },
    'spanNot [exclude] must be of type span query',
  ],
  [{ span_not: { include: a, exclude: b, dist: 1, pre: 1 } }, 'spanNot can either use [dist]'],
  [{ span_multi: { match: a } }, 'spanMultiTerm [match] must be of type multi term query'],
  [
    { span_multi: { boost: 2, match: { prefix: { t: 'x' } } } },
    'spanMultiTerm must have [match] multi term query clause',
  ],
  [
    { span_multi: { match: { prefix: { t: 'x' } }, boost: 2 } },
    'Expected field name but got VALUE_NUMBER "boost"',
  ],
  [{ field_masking_span: { query: a } }, 'field_masking_span must have [field] set for it'],
])('%j is refused', (body, expected) => {
  expect(refusal(body)).toContain(expected);
});

test('spans inside of spans are as deep as other queries at most', () => {
  let body: unknown = a;
  for (let depth = 0; depth < 300; depth++) body = { span_or: { clauses: [body] } };
  expect(refusal(body)).toContain('query nesting deeper than [200]');
});
