// The texts of a document's fields, from its source.

import {
  decodeUtf8,
  extractValues,
  formatDouble,
  type JsonLeaf,
  JsonNumber,
  type JsonObject,
  parseJsonObject,
} from '../../json/index';
import { appendAll } from '../../common/index';
import type { HighlightText } from '../plan/highlight-plan';

/** A document whose fields are highlighted. */
export interface HighlightDocument {
  readonly type: string;
  /** As it was indexed. */
  readonly source: Buffer;
  /** What the mapping lets be seen of it; null: nothing. */
  readonly shown: Buffer | null;
}

/** Reads texts of one document; parses it when first asked. */
export class DocumentTexts {
  private whole: JsonObject | null = null;
  private visible: JsonObject | null | undefined = undefined;

  constructor(private readonly document: HighlightDocument) {}

  /** The texts that fragments are cut from: stored values, else those of the source. */
  shown(text: HighlightText, forceSource: boolean): string[] {
    if (text.isStored && !forceSource) return this.indexed(text);
    const document = this.seen();
    return document === null ? [] : extractValues(document, text.sourcePath).map(shownText);
  }

  /** The texts that the field's terms were made of. */
  indexed({ sourcePath, copiedPaths }: HighlightText): string[] {
    const document = (this.whole ??= parse(this.document.source));
    const values = extractValues(document, sourcePath).map(String);
    for (const path of copiedPaths) {
      appendAll(values, extractValues(document, path).map(String));
    }
    return values;
  }

  private seen(): JsonObject | null {
    if (this.visible === undefined) {
      const { source, shown } = this.document;
      if (shown === source) this.visible = this.whole ??= parse(source);
      else this.visible = shown === null ? null : parse(shown);
    }
    return this.visible;
  }
}

function parse(source: Buffer): JsonObject {
  return parseJsonObject(decodeUtf8(source), Infinity);
}

/** compat: numbers are read before they are shown. */
function shownText(value: JsonLeaf): string {
  if (!(value instanceof JsonNumber)) return String(value);
  return /^-?\d+$/.test(value.text) ? String(BigInt(value.text)) : formatDouble(value.value);
}
