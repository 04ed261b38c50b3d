// Names that mean something to JavaScript, and texts that are none, wherever something has a name.

import { family, get, post, put, type Family } from './family';
import { encode } from './wire';

const NAMES = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'then',
    'length',
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    'a\udc00b',
    '..',
    '%2e%2e%2f',
    '\u202e',
    '\r\nX: y',
    '\'"<>',
    '',
    ' ',
  ],
];

export const NAME_FAMILIES: readonly Family[] = [
  family(
    '__proto__, constructor, NUL and surrogates as every kind of name',
    function* (size) {
      // The short form tries those that JavaScript knows first.
      for (const name of NAMES.slice(0, Math.max(4, size(NAMES.length)))) {
        const path = encode(name);
        const key = JSON.stringify(name);
        const value = JSON.stringify({ polluted: 1 });
        yield put(`/${path}`, '{}');
        yield put(
          `/h/${path}/${path}?routing=${path}&parent=${path}`,
          `{${key}:${value},"a":{${key}:[1]}}`,
        );
        yield get(`/h/${path}/${path}?fields=${path},a.${path}`);
        yield post(
          `/h/${path}/${path}/_update`,
          `{"doc":{${key}:{"polluted":2}},"doc_as_upsert":true}`,
        );
        yield post(
          `/h/${path}/${path}/_update`,
          `{"script":"ctx._source[p] = q","params":{"p":${key},"q":${value}}}`,
        );
        yield put(
          `/h/_mapping/${path}`,
          `{${key}:{"properties":{${key}:{"type":"string","fields":{${key}:{"type":"long"}}}}}}`,
        );
        yield put(
          `/h/_mapping/t`,
          `{"t":{${key}:${value},"properties":{"x":{"type":${key}},${key}:{"properties":{${key}:{"type":"nested"}}}}}}`,
        );
        yield put(`/h/_settings`, `{"index":{${key}:${value}}}`);
        yield put(`/h/_alias/${path}`, `{"filter":{"term":{${key}:1}}}`);
        yield post(
          '/_aliases',
          `{${key}:1,"actions":[{${key}:{}},{"add":{${key}:${value},"index":"h","alias":${key}}}]}`,
        );
        yield put(
          `/_template/${path}`,
          `{"template":"zz","settings":{${key}:1},"mappings":{${key}:{}},"aliases":{${key}:{}}}`,
        );
        yield get(`/_template/${path}`);
        yield { method: 'DELETE', path: `/_template/${path}` };
        yield put(`/h/_warmer/${path}`, '{"query":{"match_all":{}}}');
        yield put(`/_scripts/${path}/${path}`, `{"script":${key}}`);
        yield put(`/_snapshot/${path}`, `{"type":${key},"settings":{"location":${key},${key}:1}}`);
        yield put(`/_snapshot/r/${path}`, `{"indices":${key}}`);
        yield put('/_cluster/settings', `{"transient":{${key}:${value}},"persistent":{${key}:1}}`);
        for (const kind of ['analyzer', 'filter', 'tokenizer', 'char_filter']) {
          yield put(
            '/h-a',
            `{"settings":{"analysis":{"${kind}":{${key}:{"type":${key},${key}:1}}}}}`,
          );
          yield post(`/_analyze?${kind}=${path}`, key);
        }
        for (const body of [
          `{${key}:${value}}`,
          `{"query":{${key}:{}}}`,
          `{"filter":{${key}:{}}}`,
          `{"query":{"term":{${key}:${key}}}}`,
          `{"query":{"query_string":{"query":${JSON.stringify(`${name}:${name}`)},"fields":[${key}],"default_field":${key}}}}`,
          `{"query":{"match":{${key}:{"query":${key},"type":${key},"operator":${key},"analyzer":${key}}}}}`,
          `{"query":{"has_child":{"type":${key},"query":{"match_all":{}}}}}`,
          `{"filter":{"terms":{"a":{"index":${key},"type":${key},"id":${key},"path":${key}}}}}`,
          `{"sort":[{${key}:{"order":${key},"mode":${key}}}]}`,
          `{"facets":{${key}:{"terms":{"field":${key},"order":${key}}}}}`,
          `{"facets":{"f":{${key}:{"field":"a"}}}}`,
          `{"facets":{"f":{"terms":{"field":"a","script":${key},"params":{${key}:1}}}}}`,
          `{"script_fields":{${key}:{"script":${key},"lang":${key},"params":{${key}:1}}}}`,
          `{"script_fields":{"s":{"script":${JSON.stringify(`doc['${name}'].value + _source.${name}`)}}}}`,
          `{"fields":[${key}],"_source":{"include":[${key}],"exclude":[${key}]},"partial_fields":{${key}:{"include":${key}}}}`,
          `{"indices_boost":{${key}:1},"stats":[${key}],"search_type":${key}}`,
          `{"aggs":{${key}:{"terms":{"field":${key}}}},"highlight":{"fields":{${key}:{}}},"suggest":{${key}:{"text":"a"}}}`,
        ]) {
          yield post('/h/_search', body);
          yield post(`/h/_search?${path}=1&preference=${path}&search_type=${path}`, body);
          yield post('/_msearch', `{"index":${key},${key}:1}\n${body}\n`);
        }
        yield post(
          '/_mget',
          `{"docs":[{"_index":${key},"_type":${key},"_id":${key},"fields":[${key}]}]}`,
        );
        yield post(
          '/_bulk',
          `{"index":{"_index":${key},"_type":${key},"_id":${key},${key}:1}}\n{${key}:${value}}\n{${key}:{}}\n`,
        );
        yield get(`/_cat/indices?h=${path}&bytes=${path}`);
        yield get(`/_nodes/${path}/${path}`);
        yield get(`/_cluster/state/${path}/${path}?filter_path=${path}`);
        yield post(`/h/_refresh`);
      }
      yield { method: 'DELETE', path: '/_snapshot/*' };
    },
    2,
  ),
];
