// Texts that a script gives for each document, or makes of each value of a field, as keys. Hot where
// there are such scripts.

import type { SegmentReader } from '../segment/index';
import { HostObject, type ScriptValue, termTextOf } from '../script/index';
import { Double } from '../json/index';
import type { DocumentScript } from './document-script';
import { doubled } from './bucket-ids';
import { KeyIds } from './key-lists';
import type { KeyReader } from './bucket-window';
import type { TermColumn } from './term-list';

/** The texts that a script makes; those of a document ascend, each once. */
export class ScriptTexts implements KeyReader {
  docs = new Uint32Array(64);
  buckets = new Uint32Array(64);
  readonly mayRepeat = false;
  private readonly keys = new KeyIds('string');
  private readonly found = new Set<string>();

  /**
   * @param column the values that the script is given one by one; null: it is run once for each document
   * @param constant the one value of every document, instead of those of a column
   */
  constructor(
    private readonly segment: SegmentReader,
    private readonly run: DocumentScript,
    private readonly column: TermColumn | null,
    constant: string | null = null,
  ) {
    if (constant !== null) run.script.term = constant;
  }

  get size(): number {
    return this.keys.size;
  }

  /** The text that is called by a number. */
  textAt(key: number): string {
    return this.keys.textOf(key);
  }

  load(words: Uint32Array, from: number, to: number): number {
    const { found } = this;
    const base = from << 5;
    const end = Math.min(to << 5, this.segment.docCount);
    let n = 0;
    for (let doc = base; doc < end; doc++) {
      if (((words[doc >>> 5]! >>> (doc & 31)) & 1) === 0) continue;
      this.run.seek(doc);
      found.clear();
      if (this.column === null) this.take(this.run.script.value(doc));
      else this.map(this.column, doc);
      for (const text of found) {
        if (n === this.docs.length) this.grow();
        const bytes = Buffer.from(text);
        this.docs[n] = doc - base;
        this.buckets[n++] = this.keys.idOfText(bytes, 0, bytes.length);
      }
    }
    return n;
  }

  private map(column: TermColumn, doc: number): void {
    const { offsets, ordinals } = column.ordinals();
    const { script } = this.run;
    // With one term each, ordinal 0 stands for documents without one.
    const first = offsets === null ? doc : offsets[doc]!;
    const end = offsets === null ? (ordinals[doc] === 0 ? doc : doc + 1) : offsets[doc + 1]!;
    for (let i = first; i < end; i++) {
      const term = column.terms.termAt(offsets === null ? ordinals[i]! - 1 : ordinals[i]!);
      script.term = typeof term === 'number' ? new Double(term) : term;
      this.take(script.value(doc));
    }
  }

  private take(given: ScriptValue): void {
    const listed = given instanceof HostObject ? given.plain() : given;
    if (Array.isArray(listed)) {
      for (const element of listed) if (element !== null) this.found.add(termTextOf(element));
    } else if (given !== null) this.found.add(termTextOf(given));
  }

  private grow(): void {
    this.docs = doubled(this.docs);
    this.buckets = doubled(this.buckets);
  }
}
