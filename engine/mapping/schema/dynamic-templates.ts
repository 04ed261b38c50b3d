// Dynamic templates: which mapping a new field gets by its name, path and type.
//
// Behaviour as on the reference server. The first template that matches wins; `{name}` and
// `{dynamic_type}` stand for the field's name and the type found in the document, in names and values.

import { EngineError } from '../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  classCast,
  javaText,
  mapperParsing,
} from '../../json/index';
import { RE2JS } from 're2js';
import { patternTest } from '../../common/index';

/** One template. `body` is kept as it was put. */
export interface DynamicTemplate {
  readonly name: string;
  readonly body: JsonObject;
  readonly mapping: JsonObject;
  /** Whether its patterns are regular expressions, which take longer the longer names are. */
  readonly isRegex: boolean;
  matches(path: string, name: string, dynamicType: string): boolean;
}

/**
 * Reads the list `dynamic_templates`.
 *
 * @throws EngineError MapperParsingException, ElasticsearchIllegalArgumentException
 */
export function parseDynamicTemplates(value: JsonValue): DynamicTemplate[] {
  if (!Array.isArray(value)) throw classCast(value, 'java.util.List');
  return value.map((item) => {
    if (!isJsonObject(item)) throw classCast(item, 'java.util.Map');
    const [first] = item;
    if (item.size !== 1 || first === undefined) {
      throw mapperParsing('A dynamic template must be defined with a name');
    }
    const [name, body] = first;
    if (!isJsonObject(body)) throw classCast(body, 'java.util.Map');
    return parseTemplate(name, body);
  });
}

function parseTemplate(name: string, body: JsonObject): DynamicTemplate {
  const text = (option: string): string | null => {
    const value = body.get(option) ?? null;
    return value === null ? null : javaText(value);
  };
  const match = text('match');
  const pathMatch = text('path_match');
  const type = text('match_mapping_type');
  if (match === null && pathMatch === null && type === null) {
    throw mapperParsing('template must have match, path_match or match_mapping_type set');
  }
  const mapping = body.get('mapping');
  if (mapping === undefined || mapping === null)
    throw mapperParsing('template must have mapping set');
  if (!isJsonObject(mapping)) throw classCast(mapping, 'java.util.Map');
  const style = text('match_pattern') ?? 'simple';
  if (style !== 'simple' && style !== 'regex') {
    throw new EngineError(
      'ElasticsearchIllegalArgumentException',
      `No matching pattern matched on [${style}]`,
    );
  }
  const isRegex = style === 'regex';
  const test = (pattern: string | null, without: boolean): ((value: string) => boolean) => {
    if (pattern === null) return () => without;
    return isRegex ? expressionTest(pattern) : patternTest(pattern);
  };
  const hasPath = test(pathMatch, true);
  const hasName = test(match, true);
  const hasOtherPath = test(text('path_unmatch'), false);
  const hasOtherName = test(text('unmatch'), false);
  const hasType = test(type, true);
  return {
    name,
    body,
    mapping,
    isRegex,
    matches: (path, field, dynamicType) =>
      hasPath(path) &&
      hasName(field) &&
      !hasOtherPath(path) &&
      !hasOtherName(field) &&
      hasType(dynamicType),
  };
}

/**
 * Compiled when it is first asked for. What cannot be compiled matches nothing: it was accepted when the
 * mapping was put.
 */
function expressionTest(pattern: string): (value: string) => boolean {
  let expression: RE2JS | null | undefined;
  return (value) => {
    if (expression === undefined) expression = compiled(pattern);
    return expression?.matches(value) ?? false;
  };
}

function compiled(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return null;
  }
}

/** The mapping of a template for a field; without a `type` of its own it gets the dynamic type. */
export function mappingFor(
  template: DynamicTemplate,
  name: string,
  dynamicType: string,
): JsonObject {
  const fill = (text: string): string =>
    text
      .replaceAll('{name}', name)
      .replaceAll('{dynamic_type}', dynamicType)
      .replaceAll('{dynamicType}', dynamicType);
  const mapping = substitute(template.mapping, fill) as JsonObject;
  if ((mapping.get('type') ?? null) === null) mapping.set('type', dynamicType);
  return mapping;
}

function substitute(value: JsonValue, fill: (text: string) => string): JsonValue {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((item) => substitute(item, fill));
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([name, member]) => [fill(name), substitute(member, fill)]));
}

/** Replaces templates of the same name in place and appends new ones. */
export function mergeDynamicTemplates(
  current: readonly DynamicTemplate[],
  next: readonly DynamicTemplate[],
): readonly DynamicTemplate[] {
  const merged = [...current];
  for (const template of next) {
    const index = merged.findIndex(({ name }) => name === template.name);
    if (index < 0) merged.push(template);
    else merged[index] = template;
  }
  return merged;
}
