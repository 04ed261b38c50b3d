// Documents that a request names to be looked into: terms look-ups, documents to be like.
//
// Parsing is done at once and cannot wait for them. What it asks for and is not there yet is noted and
// stands for a missing document; then all of that is read, and the parsing is done again, until nothing was
// lacking. So errors come in the order in which parsing meets them, and requests that look nothing up are
// parsed once and wait for nothing.

import { EngineError } from '../errors';

/** Reads the current source of a document; undefined when there is none. */
export type ReadSource = (
  index: string,
  type: string,
  id: string,
  routing: string | undefined,
) => Promise<Buffer | undefined>;

/** Documents read at one time. */
const READ_TOGETHER = 32;

type DocumentAddress = Parameters<ReadSource>;

/** What came of a document: its source, or why it cannot be read. */
type Found = { readonly source: Buffer | undefined } | { readonly error: unknown };

/** The documents that one request looks into. */
export class SourceLookUps {
  private found: Map<string, Found> | null = null;
  private wanted: Map<string, DocumentAddress> | null = null;
  private bytes = 0;

  /** @param limit bytes that all documents together may have */
  constructor(
    private readonly read: ReadSource,
    private readonly limit: number,
  ) {}

  /** A document for the parser. @throws what reading it failed with */
  get(...address: DocumentAddress): Buffer | undefined {
    const key = JSON.stringify(address);
    const found = this.found?.get(key);
    if (found === undefined) {
      (this.wanted ??= new Map()).set(key, address);
      return undefined;
    }
    if ('error' in found) throw found.error;
    return found.source;
  }

  /**
   * Parses, again where documents were lacking: gives what parsing gives, or a promise of it.
   *
   * @throws what parsing throws; EngineError CircuitBreakingException when documents are too large together
   */
  resolve<T>(parse: () => T | Promise<T>): T | Promise<T> {
    try {
      const parsed = parse();
      if (parsed instanceof Promise) return this.resolveAfter(parse, parsed);
      if (this.wanted === null) return parsed;
    } catch (error) {
      if (this.wanted === null) throw error;
    }
    return this.resolveLater(parse, this.wanted);
  }

  private async resolveAfter<T>(parse: () => T | Promise<T>, parsing: Promise<T>): Promise<T> {
    try {
      const parsed = await parsing;
      if (this.wanted === null) return parsed;
    } catch (error) {
      if (this.wanted === null) throw error;
    }
    return this.resolveLater(parse, this.wanted);
  }

  private async resolveLater<T>(
    parse: () => T | Promise<T>,
    wanted: ReadonlyMap<string, DocumentAddress>,
  ): Promise<T> {
    this.wanted = null;
    const found = (this.found ??= new Map<string, Found>());
    const addresses = [...wanted];
    for (let from = 0; from < addresses.length; from += READ_TOGETHER) {
      const some = addresses.slice(from, from + READ_TOGETHER);
      await Promise.all(
        some.map(async ([key, address]) => found.set(key, await this.find(address))),
      );
      if (this.bytes > this.limit) {
        throw new EngineError(
          'CircuitBreakingException',
          `[REQUEST] Data too large, data for [look-ups] would be larger than limit of [${this.limit}b]`,
        );
      }
    }
    return this.resolve(parse);
  }

  private async find(address: DocumentAddress): Promise<Found> {
    const [index, type, id, routing] = address;
    try {
      const source = await this.read(index, type, id, routing);
      this.bytes += source?.length ?? 0;
      return { source };
    } catch (error) {
      return { error };
    }
  }
}
