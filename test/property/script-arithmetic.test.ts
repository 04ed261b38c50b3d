// Arithmetic of scripts against Java's rules worked out with big integers, and the two ways of computing
// numbers against one another.

import { EngineError } from '../../engine/errors';
import { isNumber, toDouble, type ScriptValue } from '../../engine/script/values';
import { Random, testSeed } from '../support/random';
import { scriptOf } from '../unit/engine/script/support';

const EDGES = [
  0n,
  1n,
  2n,
  3n,
  7n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 62n,
  2n ** 63n - 1n,
];

function integer(random: Random, bits: 32 | 64): bigint {
  const edge = EDGES[random.below(EDGES.length)]!;
  const value = random.chance(0.5)
    ? edge + BigInt(random.between(-2, 2))
    : BigInt(random.below(2 ** 31));
  return BigInt.asIntN(bits, random.chance(0.5) ? -value : value);
}

function literal(value: bigint, bits: 32 | 64): string {
  const suffix = bits === 64 ? 'L' : '';
  return value < 0n ? `(${value}${suffix})` : `${value}${suffix}`;
}

/** What Java gives; null: an exception. */
function expected(operator: string, a: bigint, b: bigint, bits: 32 | 64): bigint | null {
  switch (operator) {
    case '+':
      return BigInt.asIntN(bits, a + b);
    case '-':
      return BigInt.asIntN(bits, a - b);
    case '*':
      return BigInt.asIntN(bits, a * b);
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    default:
      return b === 0n ? null : a % b;
  }
}

test('integers of 32 and 64 bits wrap around as in Java', () => {
  const random = new Random(testSeed(1));
  for (let i = 0; i < 4_000; i++) {
    const [left, right] = [random.chance(0.5) ? 32 : 64, random.chance(0.5) ? 32 : 64] as const;
    const bits = left === 64 || right === 64 ? 64 : 32;
    const [a, b] = [integer(random, left), integer(random, right)];
    const operator = ['+', '-', '*', '%', '&', '|', '^'][random.below(7)]!;
    const source = `${literal(a, left)} ${operator} ${literal(b, right)}`;
    const want = expected(operator, a, b, bits);
    if (want === null) {
      expect(() => scriptOf(source).value(0)).toThrow('/ by zero');
      continue;
    }
    const got = scriptOf(source).value(0);
    expect([source, got]).toEqual([source, bits === 64 ? want : Number(want)]);
  }
});

/** A random numeric expression over literals, fields and parameters. */
function expression(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.2)) {
    const leaves = [
      '1',
      '3',
      '7L',
      '2.5',
      '0',
      '1000000',
      '9007199254740993L',
      "doc['i'].value",
      "doc['l'].value",
      "doc['f'].value",
      "doc['em'].value",
      "doc['big'].value",
      "doc['dt'].date.hourOfDay",
      'p',
      'q',
      'big',
      '_score',
    ];
    return leaves[random.below(leaves.length)]!;
  }
  const inner = (): string => expression(random, depth - 1);
  const operator = ['+', '-', '*', '/', '%'][random.below(5)]!;
  switch (random.below(8)) {
    case 0:
      return `Math.max(${inner()}, ${inner()})`;
    case 1:
      return `Math.abs(${inner()})`;
    case 2:
      return `(${inner()} ${['<', '>=', '==', '!='][random.below(4)]!} ${inner()} ? ${inner()} : ${inner()})`;
    case 3:
      return `(-${inner()})`;
    case 4:
      return `Math.round(${inner()})`;
    case 5:
      return `((${random.chance(0.5) ? 'int' : 'double'}) ${inner()})`;
    default:
      return `(${inner()} ${operator} ${inner()})`;
  }
}

test.each([null, 'mvel'])(
  'computing numbers only gives what the general way gives (%s)',
  (lang) => {
    const random = new Random(testSeed(2));
    for (let i = 0; i < 4_000; i++) {
      const source = expression(random, 3);
      const script = scriptOf(source, lang);
      script.score = 1.75;
      let value: ScriptValue;
      try {
        value = script.value(0);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
        expect(() => script.number(0)).toThrow();
        continue;
      }
      expect(isNumber(value)).toBe(true);
      const general = isNumber(value) ? toDouble(value) : NaN;
      expect([source, script.number(0)]).toEqual([source, general]);
    }
  },
);
