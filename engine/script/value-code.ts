// Code that builds values of several parts: texts with expressions inside, maps, ranges and dates.

import { ScriptDate } from './dates';
import type { Frame } from './frame';
import { type StepBudget, VISITS_PER_STEP } from './limits';
import type { Code } from './scope';
import { isNumber, noMethod, textOf, toBigInt, type ScriptValue } from './values';

/** `"a ${b} c"` */
export function templateCode(codes: readonly (string | Code)[], budget: StepBudget): Code {
  return () => {
    let text = '';
    for (const code of codes) {
      text += typeof code === 'string' ? code : textOf(code());
      budget.checkLength(text.length);
    }
    return text;
  };
}

/** `[a: b, (c): d]` */
export function mapCode(codes: readonly (readonly [Code, Code])[], budget: StepBudget): Code {
  return () => {
    if (codes.length >= VISITS_PER_STEP) budget.visit(codes.length);
    return new Map(codes.map(([key, value]) => [textOf(key()), value()]));
  };
}

/** `a..b`, or `a..<b` when exclusive: a list of numbers. */
export function rangeCode(from: Code, to: Code, exclusive: boolean, budget: StepBudget): Code {
  return () => {
    const [low, high] = [from(), to()];
    if (!isNumber(low) || !isNumber(high))
      throw noMethod('groovy.lang.Range', 'create', [low, high]);
    const [first, last] = [Number(toBigInt(low)), Number(toBigInt(high))];
    const step = last < first ? -1 : 1;
    const size = Math.abs(last - first) + (exclusive ? 0 : 1);
    budget.checkSize(size);
    budget.charge(1 + (size >> 4));
    const numbers = new Array<ScriptValue>(size);
    for (let i = 0; i < size; i++) numbers[i] = first + i * step;
    return numbers;
  };
}

/** `new Date(millis)`, or the time of the request without a number. */
export function dateCode(argument: Code | undefined, frame: Frame): Code {
  return () => {
    const millis = argument?.();
    return new ScriptDate(
      millis !== undefined && isNumber(millis) ? Number(toBigInt(millis)) : frame.now,
      frame.now,
    );
  };
}
