// `template`: a query that is rendered from a template (reference server).

import { EngineError } from '../../../errors';
import { SEARCH_BODY } from '../../../api/index';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../../json/index';
import { readTemplate } from '../../../script/index';
import type { KindParser, ParseScope } from '../scope/parse-scope';
import type { KindBody } from '../scope/members';
import { MATCH_NONE } from '../../ast/query';

/** `{query|id|file, params}`; other members count for nothing. */
export const parseTemplateQuery: KindParser = (body, scope) =>
  scope.firstQuery(renderedQuery(body, scope)) ?? MATCH_NONE;

function renderedQuery(body: KindBody, scope: ParseScope): JsonObject {
  const template = isJsonObject(body) ? readTemplate(body) : null;
  if (template === null) {
    throw new EngineError('NullPointerException', 'the template query names no template');
  }
  const { scripts, meter } = scope.context;
  meter.add('scripts', 1);
  const text = scripts().renderTemplate(template);
  return parseJsonObject(text, SEARCH_BODY.depth, SEARCH_BODY.values);
}
