// `wrapper`: a query or filter as base64 of its JSON text.

import { decodeUtf8, isJsonObject, parseJsonObject } from '../../../json/index';
import type { KindParser, ParseScope } from '../scope/parse-scope';
import { type KindBody, firstMember, isScalar, refuseSecondMember, textOf } from '../scope/members';

/** `{query: base64}`. */
export const parseWrapper: KindParser = (body, scope) => scope.query(unwrap(body, 'query', scope));

/** `{filter: base64}`. */
export const parseWrapperFilter: KindParser = (body, scope) =>
  scope.filter(unwrap(body, 'filter', scope));

function unwrap(body: KindBody, kind: 'query' | 'filter', scope: ParseScope) {
  const [name, value] = firstMember(body) ?? ['', null];
  if (name !== kind || !isScalar(value)) throw scope.error(`[wrapper] ${kind} malformed`);
  if (isJsonObject(body)) refuseSecondMember(body);
  const text = textOf(value);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw scope.error('Failed to parse', new Error('Failed to decode VALUE_STRING as base64'));
  }
  return parseJsonObject(decodeUtf8(Buffer.from(text, 'base64')));
}
