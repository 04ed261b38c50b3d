// A search whose body names a template: rendered once, and read like any other body. The reference renders on
// every shard, so what is wrong with a template is a failure of all of them.

import { EngineError } from '../errors';
import { SEARCH_BODY, type SearchRequest } from '../api/index';
import { JsonSyntaxError, parseJsonObject } from '../json/index';
import {
  readTemplate,
  type ScriptLibrary,
  templateBehind,
  unreadableTemplate,
} from '../script/index';

/** Bytes of a parsed body for each character, about. */
const PARSED_BYTES = 8;

/**
 * The search that a template renders to; one without a body stays what it is.
 *
 * @throws EngineError what all shards fail with: ElasticsearchParseException (400), MustacheException (500),
 *         ElasticsearchIllegalArgumentException (400) for a template that there is not, or that is too large
 */
export function searchFromTemplate(request: SearchRequest, scripts: ScriptLibrary): SearchRequest {
  const { body, bodyText, bodyError } = request;
  if (bodyError !== undefined) {
    throw bodyError instanceof JsonSyntaxError ? unreadableTemplate(bodyError) : bodyError;
  }
  if (bodyText === null) return request;
  const text = scripts.renderTemplate(templateOf(request));
  request.memory?.grow(PARSED_BYTES * text.length);
  const rendered = { ...request, body, bodyText: text };
  try {
    return { ...rendered, body: parseJsonObject(text, SEARCH_BODY.depth, SEARCH_BODY.values) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { ...rendered, body: new Map(), bodyError: error };
  }
}

function templateOf({ body }: SearchRequest): Parameters<ScriptLibrary['renderTemplate']>[0] {
  const template = readTemplate(body);
  if (template === null || template.name.text === '') throw noTemplate();
  if (template.name.kind !== 'inline') return template;
  try {
    const name = templateBehind(template.name.text);
    if (name.text === '') throw noTemplate();
    return { ...template, name };
  } catch (error) {
    throw error instanceof JsonSyntaxError ? unreadableTemplate(error) : error;
  }
}

function noTemplate(): EngineError {
  return new EngineError(
    'ElasticsearchParseException',
    'Template must have [template] field configured',
  );
}
