// Request bodies in YAML as the JSON they stand for. Those are YAML that begin with `---`, whatever the
// content type says (reference server).
//
// The composer of the YAML library goes down nested values by recursion, and where the stack ends inside a
// regular expression V8 ends the process. So the depth is looked at in the parser before it, which keeps its
// levels in a list; size and number of tokens are limited because all of it runs without a break.

import {
  Composer,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type CST,
  type ParsedNode,
  type YAMLError,
} from 'yaml';
import { EngineError, writeJson } from '../../engine/index';

/** Far more than anybody writes by hand; bulk data comes as JSON. */
const MAX_BYTES = 1024 * 1024;
/** Some hundreds of milliseconds. */
const MAX_TOKENS = 100_000;
const MAX_DEPTH = 200;
/** Levels of the parser: the document and what is begun at the innermost one come on top. */
const MAX_LEVELS = MAX_DEPTH + 8;

/** Whether a body is a YAML document by its first bytes. */
export function isYaml(body: Buffer): boolean {
  return body.length > 3 && body[0] === 0x2d && body[1] === 0x2d && body[2] === 0x2d;
}

/**
 * The JSON a YAML document stands for; numbers keep their spelling where JSON has it.
 *
 * @throws EngineError 400 for what is no YAML, or cannot be said in JSON
 */
export function yamlToJson(body: Buffer): Buffer {
  if (body.length > MAX_BYTES) throw unreadable(`more than ${MAX_BYTES} bytes`);
  const text = body.toString('utf8');
  const composer = new Composer({
    // Comparing each name with all others takes quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
  });
  const documents = composer.compose(tokens(text), true, text.length);
  const document = documents.next().value;
  const problem = document?.errors[0];
  if (problem !== undefined) throw unreadable(describe(text, problem));
  if (documents.next().done !== true) throw unreadable('more than one document');
  const contents = document?.contents ?? null;
  return Buffer.from(jsonText(contents, 0));
}

/** What the composer is given. @throws EngineError where a limit is passed */
function* tokens(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MAX_TOKENS) throw unreadable(`more than ${MAX_TOKENS} tokens`);
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_LEVELS) throw tooDeep();
  }
  yield* parser.end();
}

function describe(text: string, { message, pos: [offset] }: YAMLError): string {
  const before = text.slice(0, offset).split('\n');
  return `${message} at line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

function jsonText(node: ParsedNode | null, depth: number): string {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (node === null) return 'null';
  if (isMap(node)) {
    const members = node.items.map(({ key, value }) => {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : null;
      if (name === null) throw unreadable('names have to be texts');
      return `${writeJson(name)}:${jsonText(value, depth + 1)}`;
    });
    return `{${members.join(',')}}`;
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => jsonText(item, depth + 1));
    return `[${items.join(',')}]`;
  }
  if (!isScalar(node)) throw unreadable('aliases are not supported');
  const { value } = node;
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(node.source, value);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? writeJson(value) : 'null';
}

function numberText(source: string | undefined, value: number | bigint): string {
  if (source !== undefined && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) {
    return source;
  }
  return Number.isFinite(Number(value)) ? String(value) : writeJson(String(value));
}

function tooDeep(): EngineError {
  return unreadable(`more than ${MAX_DEPTH} levels`);
}

function unreadable(reason: string): EngineError {
  return new EngineError('ElasticsearchParseException', `Failed to parse YAML: ${reason}`);
}
