// The objects of a JSON file one by one: of a list, of lines, or one behind the other.

import type { Readable } from 'node:stream';

/** Characters of one object. */
const MAX_LENGTH = 256 * 1024 * 1024;

/**
 * The texts of all objects and lists of a file; the elements of a list at the top instead of the list.
 *
 * @throws Error where something else stands
 */
export async function* readObjects(bytes: Readable): AsyncGenerator<string> {
  const splitter = new Splitter();
  const decoder = new TextDecoder();
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    yield* splitter.add(decoder.decode(chunk, { stream: true }));
  }
  yield* splitter.add(decoder.decode());
  splitter.end();
}

/** Finds where objects begin and end; what is in them is not looked at. */
class Splitter {
  /** Of the object under way. */
  private text = '';
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private inList = false;

  *add(chunk: string): Generator<string> {
    /** Where the object under way, or the rest of it, begins in this chunk. */
    let begin = 0;
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at]!;
      if (this.inString) this.string(character);
      else if (this.depth === 0) {
        if (this.outside(character)) begin = at;
      } else if (character === '"') this.inString = true;
      else if (character === '{' || character === '[') this.depth++;
      else if ((character === '}' || character === ']') && --this.depth === 0) {
        yield this.text + chunk.slice(begin, at + 1);
        this.text = '';
      }
    }
    if (this.depth > 0) this.text += chunk.slice(begin);
    if (this.text.length > MAX_LENGTH)
      throw new Error(`an object of more than ${MAX_LENGTH} characters`);
  }

  /** @throws Error for a file that is cut off */
  end(): void {
    if (this.depth > 0 || this.inList) throw new Error('the file ends in the middle of an object');
  }

  private string(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.inString = false;
  }

  /** What stands between objects; true: one begins. */
  private outside(character: string): boolean {
    if (character === '{' || (character === '[' && this.inList)) {
      this.depth = 1;
      return true;
    }
    if (character === '[') this.inList = true;
    else if (character === ']' && this.inList) this.inList = false;
    else if (!/[\s,]/.test(character)) {
      throw new Error(`${JSON.stringify(character)} stands where an object was expected`);
    }
    return false;
  }
}
