// Names in date formats: months, days of the week, halves of the day, eras. English, as the reference
// prints them without a locale.

import type { FormatElement, PrintedTime } from './elements';
import { DateUnit, type ParsedFields } from './parsed-fields';
import { unitValue } from './unit-value';

const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December',
]; // prettier-ignore
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HALFDAYS = ['AM', 'PM'];
const ERAS = ['BC', 'AD'];

/** A name: of a month, a day of the week, half of the day or an era. Long and short ones are both read. */
export class NameElement implements FormatElement {
  private readonly read = new Map<string, number>();
  private readonly longest: number;

  private constructor(
    private readonly unit: DateUnit,
    private readonly printed: readonly string[],
    names: readonly (readonly string[])[],
    private readonly first: number,
  ) {
    let longest = 0;
    for (const list of names) {
      list.forEach((name, i) => {
        for (const spelling of [name, name.toLowerCase(), name.toUpperCase()]) {
          this.read.set(spelling, first + i);
        }
        longest = Math.max(longest, name.length);
      });
    }
    this.longest = longest;
  }

  static month(long: boolean): NameElement {
    const short = MONTHS.map((name) => name.slice(0, 3));
    return new NameElement(DateUnit.Month, long ? MONTHS : short, [short, MONTHS], 1);
  }

  static dayOfWeek(long: boolean): NameElement {
    const short = DAYS.map((name) => name.slice(0, 3));
    return new NameElement(DateUnit.DayOfWeek, long ? DAYS : short, [short, DAYS], 1);
  }

  static halfday(): NameElement {
    return new NameElement(DateUnit.Halfday, HALFDAYS, [HALFDAYS], 0);
  }

  static era(): NameElement {
    return new NameElement(DateUnit.Era, ERAS, [ERAS, ['BCE', 'CE']], 0);
  }

  parse(fields: ParsedFields, text: string, at: number): number {
    for (let end = Math.min(text.length, at + this.longest); end > at; end--) {
      const value = this.read.get(text.slice(at, end));
      if (value !== undefined) {
        fields.set(this.unit, value);
        return end;
      }
    }
    return ~at;
  }

  print(time: PrintedTime): string {
    return this.printed[unitValue(this.unit, time) - this.first] ?? '';
  }
}
