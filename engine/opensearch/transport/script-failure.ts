// What scripts fail with in OpenSearch, as facetd's own evaluation says it (engine/script/errors.ts).

import { EngineError, type ErrorName } from '../../errors';

/** The failures that functions of scripts/library.ts begin with their name, after `facetd:`. */
const OWN: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'GroovyScriptExecutionException',
  'NullPointerException',
  'ClassCastException',
  'ElasticsearchIllegalArgumentException',
]);

/** Failures of Java itself, by their type in OpenSearch. */
const OF_JAVA: Readonly<Record<string, string>> = {
  arithmetic_exception: 'ArithmeticException',
  class_cast_exception: 'ClassCastException',
  illegal_argument_exception: 'IllegalArgumentException',
  null_pointer_exception: 'NullPointerException',
  number_format_exception: 'NumberFormatException',
};

/**
 * The failure of a script that was running.
 *
 * @param type of the innermost cause
 * @param reason of it
 */
export function scriptFailure(type: string, reason: string): EngineError {
  const [, name, text = ''] = /^facetd:(\w+):(.*)$/s.exec(reason) ?? [];
  if (name !== undefined && OWN.has(name as ErrorName)) {
    return new EngineError(name as ErrorName, text);
  }
  const javas = Object.hasOwn(OF_JAVA, type) ? OF_JAVA[type]! : 'RuntimeException';
  return new EngineError('GroovyScriptExecutionException', `${javas}[${reason}]`);
}
