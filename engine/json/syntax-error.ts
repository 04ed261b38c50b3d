// The one error of JSON parsing. It is an EngineError, so that it may be thrown as it is or become the
// cause of a more specific failure (a document's MapperParsingException, a search's parse failure).

import { EngineError } from '../errors';

/** Text that is not JSON, even by the lenient rules; the message says what was found, expected and where. */
export class JsonSyntaxError extends EngineError {
  constructor(message: string) {
    super('JsonParseException', message);
  }
}
