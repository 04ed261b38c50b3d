// Methods of values and of Java's classes, by name and number of arguments, as code.

import { doubleFunction } from '../../script/index';
import {
  anything,
  boxed,
  grouped,
  isNumeric,
  notTranslated,
  type ScriptParts,
  type ValuePiece,
} from './pieces';

type Make = (object: string, args: readonly string[], name: string) => ValuePiece;

function helper(call: (object: string, args: readonly string[], name: string) => string): Make {
  return (object, args, name) => anything(call(object, args, name));
}

const SIMPLE: Make = helper((object, args, name) => `${name}(${[object, ...args].join(', ')})`);
const END: Make = helper((object, _, name) => `endOf(${object}, '${name}')`);
const OF_TEXT: Make = helper((object, _, name) => `ofText('${name}', ${object})`);
const BESIDE_TEXT: Make = helper((object, [other], name) => {
  return `textsTogether('${name}', ${object}, ${other!})`;
});

/** Of values of any class, `name/arguments`. */
const METHODS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['size/0', SIMPLE],
  ['length/0', SIMPLE],
  ['isEmpty/0', SIMPLE],
  ['contains/1', SIMPLE],
  ['indexOf/1', SIMPLE],
  ['containsKey/1', SIMPLE],
  ['get/1', helper((object, [at]) => `valueAt(${object}, ${at!})`)],
  ['getAt/1', helper((object, [at]) => `element(${object}, ${at!})`)],
  ['first/0', END],
  ['head/0', END],
  ['last/0', END],
  ['sum/0', helper((object) => `total(${object})`)],
  ['max/0', helper((object) => `best(${object}, 1)`)],
  ['min/0', helper((object) => `best(${object}, -1)`)],
  ['join/1', helper((object, [between]) => `joined(${object}, ${between!})`)],
  ['trim/0', OF_TEXT],
  ['toLowerCase/0', OF_TEXT],
  ['toUpperCase/0', OF_TEXT],
  ['startsWith/1', BESIDE_TEXT],
  ['endsWith/1', BESIDE_TEXT],
  ['lastIndexOf/1', BESIDE_TEXT],
  ['equalsIgnoreCase/1', BESIDE_TEXT],
  ['concat/1', BESIDE_TEXT],
  ['substring/1', helper((object, [from]) => `part(${object}, ${from!}, null)`)],
  ['substring/2', helper((object, [from, to]) => `part(${object}, ${from!}, ${to!})`)],
  ['toString/0', helper((object) => `text(${object})`)],
  ['equals/1', helper((object, [other]) => `javaEquals(${object}, ${other!})`)],
  ['compareTo/1', helper((object, [other]) => `compared(${object}, ${other!})`)],
  ...['int', 'long', 'double', 'float'].map((type): [string, Make] => [
    `${type}Value/0`,
    helper((object, _, name) => `ownNumber('${name}', ${object})`),
  ]),
  ['toInteger/0', helper((object) => `parsed('toInteger', ${object}, 32)`)],
  ['toLong/0', helper((object) => `parsed('toLong', ${object}, 64)`)],
  ['abs/0', helper((object) => `absolute(${object})`)],
]);

/** `object.name(args)`. @throws EngineError for a method that is not translated */
export function methodOf(
  object: ValuePiece,
  name: string,
  args: readonly ValuePiece[],
): ValuePiece {
  const make = METHODS.get(`${name}/${args.length}`);
  if (make === undefined) throw notTranslated(`the method [${name}]`);
  return make(boxed(object), args.map(boxed), name);
}

/** `Math.name(args)`; null: there is no such function, which only running the script says. */
export function mathCall(
  name: string,
  args: readonly ValuePiece[],
  parts: ScriptParts,
): ValuePiece | null {
  const [a, b] = args;
  if (doubleFunction(name, args.length) !== null) {
    const list = `[${args.map(boxed).join(', ')}]`;
    const numbers = args.map((arg) =>
      isNumeric(arg.type) || arg.type === 'score'
        ? grouped('double', arg.code)
        : `mathArgument(${boxed(arg)}, ${parts.param(name)}, ${list})`,
    );
    return { type: 'double', code: `Math.${name}(${numbers.join(', ')})` };
  }
  if (name === 'random' && args.length === 0) return { type: 'double', code: 'Math.random()' };
  if (args.length === 1 && a !== undefined) {
    if (name === 'abs') {
      if (a.type === 'double') return { type: 'double', code: `Math.abs(${a.code})` };
      if (isNumeric(a.type))
        return {
          type: a.type,
          code: a.type === 'int' ? `absInt(${a.code})` : `absLong(${a.code})`,
        };
      return anything(`absolute(${boxed(a)})`);
    }
    if (name !== 'round') return null;
    if (a.type !== 'long' && a.type !== 'double') return anything(`rounded(${boxed(a)})`);
    return { type: 'long', code: `nearest(${a.code})` };
  }
  const isExtreme = name === 'max' || name === 'min';
  if (args.length !== 2 || a === undefined || b === undefined || !isExtreme) return null;
  const types = [a.type, b.type];
  if (types.every((type) => type === 'long' || type === 'int')) {
    const type = types.includes('long') ? 'long' : 'int';
    return { type, code: `${name}${type === 'int' ? 'Int' : 'Long'}(${a.code}, ${b.code})` };
  }
  const areDoubles = types.every((type) => isNumeric(type)) && !types.includes('int');
  if (areDoubles) {
    return { type: 'double', code: `Math.${name}(${a.code}, ${b.code})` };
  }
  return anything(`extreme(${String(name === 'max')}, ${boxed(a)}, ${boxed(b)})`);
}

const CONSTANTS: ReadonlyMap<string, ValuePiece> = new Map<string, ValuePiece>([
  ['Math.PI', { type: 'double', code: 'Math.PI' }],
  ['Math.E', { type: 'double', code: 'Math.E' }],
  ['Integer.MAX_VALUE', { type: 'int', code: 'Integer.MAX_VALUE' }],
  ['Integer.MIN_VALUE', { type: 'int', code: 'Integer.MIN_VALUE' }],
  ['Long.MAX_VALUE', { type: 'long', code: 'Long.MAX_VALUE' }],
  ['Long.MIN_VALUE', { type: 'long', code: 'Long.MIN_VALUE' }],
  ['Double.MAX_VALUE', { type: 'double', code: 'Double.MAX_VALUE' }],
  ['Double.MIN_VALUE', { type: 'double', code: 'Double.MIN_VALUE' }],
  ['Double.NaN', { type: 'double', code: 'Double.NaN' }],
  ['Double.POSITIVE_INFINITY', { type: 'double', code: 'Double.POSITIVE_INFINITY' }],
  ['Double.NEGATIVE_INFINITY', { type: 'double', code: 'Double.NEGATIVE_INFINITY' }],
]);

/** `Math.PI` and the like; null: there is no such constant. */
export function staticConstant(owner: string, name: string): ValuePiece | null {
  return CONSTANTS.get(`${owner}.${name}`) ?? null;
}

/** `Integer.parseInt(text)` and the like. @throws EngineError for what is not translated */
export function staticCall(
  owner: string,
  name: string,
  args: readonly ValuePiece[],
  now: ValuePiece,
): ValuePiece {
  const [only] = args;
  switch (`${owner}.${name}/${args.length}`) {
    case 'System.currentTimeMillis/0':
      return now;
    case 'Integer.parseInt/1':
    case 'Integer.valueOf/1':
      return anything(`strict(text(${boxed(only!)}), 32)`);
    case 'Long.parseLong/1':
    case 'Long.valueOf/1':
      return anything(`strict(text(${boxed(only!)}), 64)`);
    case 'String.valueOf/1':
    case 'Integer.toString/1':
    case 'Long.toString/1':
    case 'Double.toString/1':
      return anything(`text(${boxed(only!)})`);
    case 'Double.isNaN/1':
      return anything(`isNaN(${boxed(only!)})`);
    default:
      return notTranslatedCall(owner, name, args);
  }
}

function notTranslatedCall(owner: string, name: string, args: readonly ValuePiece[]): ValuePiece {
  const isList =
    owner === 'Arrays' || (owner === 'Collections' && /^singleton(?:List)?$/.test(name));
  if (isList) return anything(`[${args.map(boxed).join(', ')}]`);
  throw notTranslated(`[${owner}.${name}]`);
}
