// Moves the ends of a fragment to where a word ends (reference server: its simple boundary scanner).

/** Looks for boundary characters near a place. */
export class BoundaryScanner {
  private readonly characters: ReadonlySet<number>;

  /**
   * @param maxScan characters looked at
   * @param characters each of them, as UTF-16 unit, is a boundary
   */
  constructor(
    private readonly maxScan: number,
    characters: string,
  ) {
    this.characters = new Set(
      Array.from({ length: characters.length }, (_, i) => characters.charCodeAt(i)),
    );
  }

  /** The place behind the nearest boundary before `start`, or the start of the text; else `start`. */
  startFrom(text: string, start: number, length: number): number {
    if (start > length || start < 1) return start;
    let at = start;
    for (let left = this.maxScan; at > 0 && left > 0; left--) {
      if (this.characters.has(text.charCodeAt(at - 1))) return at;
      at--;
    }
    return at === 0 ? 0 : start;
  }

  /** The nearest boundary at `end` or behind it; else `end`. */
  endFrom(text: string, end: number, length: number): number {
    if (end > length || end < 0) return end;
    let at = end;
    for (let left = this.maxScan; at < length && left > 0; left--) {
      if (this.characters.has(text.charCodeAt(at))) return at;
      at++;
    }
    return end;
  }
}
