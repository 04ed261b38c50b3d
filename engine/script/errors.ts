// What a script can fail with. The names and texts are those of the reference server, where its own
// languages have them; what is beyond the language says so.

import { createHash } from 'node:crypto';
import { EngineError } from '../errors';

/** A place in a source, counted from 0. */
interface SourcePlace {
  readonly source: string;
  readonly at: number;
}

/** The class a script is compiled to on the reference server, named in its error texts. */
export function scriptClass(source: string): string {
  return createHash('sha1').update(source, 'utf8').digest('hex');
}

/** 400: the source is not a script, or uses what the language does not have. */
export function compilationError(message: string, { source, at }: SourcePlace): EngineError {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1) + 1;
  const text = source.split('\n')[line - 1] ?? '';
  const report =
    `startup failed:\n${scriptClass(source)}: ${line}: ${message} @ line ${line}, column ${column}.\n` +
    `   ${text.slice(0, 200)}\n${' '.repeat(Math.min(column, 200) + 2)}^\n\n1 error\n`;
  return new EngineError(
    'GroovyScriptCompilationException',
    `MultipleCompilationErrorsException[${report}]`,
  );
}

/** 400 at compile time: a construct of the real language that this one leaves out. */
export function unsupported(construct: string, place: SourcePlace): EngineError {
  return compilationError(`${construct} is not supported in scripts`, place);
}

/** A failure while a script runs: the Java exception that the reference reports, and its text. */
export function runtimeError(exception: string, message: string): EngineError {
  return new EngineError('GroovyScriptExecutionException', `${exception}[${message}]`);
}

/** The failure of a script that takes too long or makes too much. */
export function limitExceeded(what: string): EngineError {
  return runtimeError('ScriptLimitException', `script exceeded ${what}`);
}

/** A name that nothing answers to. */
export function missingProperty(name: string, javaClass: string): EngineError {
  return runtimeError(
    'MissingPropertyException',
    `No such property: ${name} for class: ${javaClass}`,
  );
}

/** A method that a value does not have, or not for these arguments. */
export function missingMethod(
  owner: string,
  name: string,
  argumentTypes: string,
  argumentTexts: string,
): EngineError {
  return runtimeError(
    'MissingMethodException',
    `No signature of method: ${owner}.${name}() is applicable for argument types: (${argumentTypes}) ` +
      `values: [${argumentTexts}]`,
  );
}

/** 400: a mistake in a script of the language `expression`. */
export function expressionError(message: string): EngineError {
  return new EngineError('ExpressionScriptCompilationException', message);
}
