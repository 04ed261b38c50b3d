// The parts a date format is made of, and how they are put together. Each part can read itself from a
// text at a position and print itself; `parse` returns the position after it, or the complement
// (~position) of where it did not match.

import type { LocalTime } from './calendar';
import type { ParsedFields } from './parsed-fields';

/** A moment to be printed. */
export interface PrintedTime extends LocalTime {
  /** Offset of the local time from UTC in ms. */
  readonly offset: number;
  readonly zoneId: string;
}

/** One part of a format. */
export interface FormatElement {
  parse(fields: ParsedFields, text: string, at: number): number;
  print(time: PrintedTime): string;
}

/** Fixed text, in any case. */
export class Literal implements FormatElement {
  private readonly lower: string;

  constructor(private readonly value: string) {
    this.lower = value.toLowerCase();
  }

  parse(_fields: ParsedFields, text: string, at: number): number {
    const end = at + this.value.length;
    if (text.startsWith(this.value, at)) return end;
    return text.slice(at, end).toLowerCase() === this.lower ? end : ~at;
  }

  print(): string {
    return this.value;
  }
}

/** Parts one after another. */
export class Sequence implements FormatElement {
  constructor(private readonly parts: readonly FormatElement[]) {}

  parse(fields: ParsedFields, text: string, start: number): number {
    let at = start;
    for (const part of this.parts) {
      at = part.parse(fields, text, at);
      if (at < 0) return at;
    }
    return at;
  }

  print(time: PrintedTime): string {
    let text = '';
    for (const part of this.parts) text += part.print(time);
    return text;
  }
}

/** Alternatives: the one that reads furthest wins; when `optional`, none of them need match. */
export class Alternatives implements FormatElement {
  constructor(
    private readonly options: readonly FormatElement[],
    private readonly optional: boolean,
  ) {}

  parse(fields: ParsedFields, text: string, start: number): number {
    const before = fields.save();
    let best = start;
    let matched = false;
    let bestState: ParsedFields | null = null;
    let furthestMiss = start;
    for (const [i, option] of this.options.entries()) {
      const at = option.parse(fields, text, start);
      if (at < 0) {
        furthestMiss = Math.max(furthestMiss, ~at);
      } else if (at > best) {
        if (at >= text.length || (i + 1 >= this.options.length && !this.optional)) return at;
        best = at;
        matched = true;
        bestState = fields.save();
      }
      fields.restore(before);
    }
    if (matched || this.optional) {
      if (bestState) fields.restore(bestState);
      return best;
    }
    return ~furthestMiss;
  }

  print(time: PrintedTime): string {
    return this.options[0]?.print(time) ?? '';
  }
}
