// The checker itself: it must find what cannot have happened, and nothing else.

import { nonlinear, type Operation, type State } from '../../support/linearizability';

const set = (value: string) => (): State => value;
const append = (value: string) => (before: State) => `${before},${value}`;

function change(
  begin: number,
  end: number,
  version: number | null,
  apply: (before: State) => State,
): Operation {
  return { what: { kind: 'change', version, apply }, begin, end, text: `change ${version}` };
}
/** @param version null for what says none, as "not found" */
function saw(begin: number, end: number, state: State, version: number | null): Operation {
  const isPossible = (_version: number, other: State) => other === state;
  return { what: { kind: 'look', version, isPossible }, begin, end, text: `saw ${state}` };
}

test.each<[string, Operation[], string | null]>([
  ['nothing', [], null],
  ['one after the other', [change(0, 1, 1, set('a')), saw(2, 3, 'a', 1)], null],
  ['at the same time', [change(0, 5, 1, set('a')), saw(1, 2, 'a', 1), saw(3, 4, 'a', 1)], null],
  ['not there yet, at the same time', [change(0, 5, 1, set('a')), saw(1, 2, null, null)], null],
  [
    'not there any more',
    [change(0, 1, 1, set('a')), saw(2, 3, null, null)],
    'saw null fits nowhere up to version 1',
  ],
  [
    'an old one',
    [change(0, 1, 1, set('a')), change(2, 3, 2, set('b')), saw(4, 5, 'a', 1)],
    'saw a fits nowhere after change 2',
  ],
  [
    'back and forth between looks',
    [change(0, 9, 1, set('a')), saw(1, 2, 'a', 1), saw(3, 4, null, null)],
    'saw null fits nowhere up to version 1',
  ],
  [
    'what was not written yet',
    [saw(0, 1, 'a', 1), change(2, 3, 1, set('a'))],
    'change 1 comes after saw a',
  ],
  [
    'a lost update',
    [
      change(0, 1, 1, set('a')),
      change(2, 4, 2, append('b')),
      change(2, 4, 3, append('c')),
      saw(5, 6, 'a,c', 3),
    ],
    'saw a,c is not version 3',
  ],
  [
    'versions against the clock',
    [change(0, 1, 2, set('b')), change(2, 3, 1, set('a'))],
    'change 1 comes after change 2',
  ],
  [
    'a version twice',
    [change(0, 5, 1, set('a')), change(0, 5, 1, set('b'))],
    'version 1 twice: change 1; change 1',
  ],
  ['no answer, and it happened', [change(0, Infinity, null, set('a')), saw(2, 3, 'a', 1)], null],
  ['no answer, and it did not', [change(0, Infinity, null, set('a')), saw(2, 3, null, null)], null],
  [
    'no answer, and it happened unseen',
    [change(0, Infinity, null, set('a')), change(2, 3, 2, append('b')), saw(4, 5, 'a,b', 2)],
    null,
  ],
  ['a hole', [change(0, 1, 2, set('a'))], 'nothing that was sent made version 1'],
  [
    'a hole that something sent later cannot have made',
    [saw(0, 1, 'a', 1), change(2, Infinity, null, set('a'))],
    'nothing that was sent made version 1',
  ],
  [
    'no answers, and what was seen much later says which came first',
    [
      change(0, Infinity, null, set('a')),
      change(0, Infinity, null, set('b')),
      change(0, Infinity, null, append('c')),
      change(2, 3, 3, append('d')),
      saw(4, 5, 'b,c,d', 3),
    ],
    null,
  ],
  [
    'no answers, and only what was not found says which came first',
    [
      change(0, Infinity, null, set('a')),
      change(0, Infinity, null, () => null),
      saw(2, 3, null, null),
      change(4, 5, 3, set('c')),
      saw(6, 7, 'c', 3),
    ],
    null,
  ],
  [
    'a change without an answer that was seen, and is gone without a deletion',
    [
      change(0, 1, 1, set('a')),
      change(2, 3, 3, set('b')),
      change(1, Infinity, null, set('c')),
      saw(1.5, 1.8, null, null),
    ],
    'nothing that was sent made version 2',
  ],
  [
    'deleted and made again',
    [
      change(0, 1, 1, set('a')),
      change(2, 3, 2, () => null),
      saw(4, 8, null, null),
      change(5, 6, 3, set('b')),
      saw(7, 9, 'b', 3),
    ],
    null,
  ],
])('%s', (_name, operations, problem) => {
  expect(nonlinear(operations)).toBe(problem);
});
