// Comparing two sides by sums of hashes, whatever order they list their documents in.

import { compare, type Side } from '../../../../scripts/importing/compare';
import type { DocumentState } from '../../../../scripts/importing/document';
import { BrokenScanError } from '../../../../scripts/importing/scan';

function document(id: string, more: Partial<DocumentState> = {}): DocumentState {
  return {
    ...{ index: 'i', type: 't', id, version: '1', routing: null, parent: null },
    ...{ timestamp: null, expires: null },
    ...more,
  };
}

function side(
  documents: readonly DocumentState[],
  compared = { times: true, versions: true },
): Side {
  const part = async function* () {
    for (const one of documents) yield await Promise.resolve([one]);
  };
  return { parts: [part], compared };
}

const numbers = Array.from({ length: 500 }, (_, n) => document(String(n)));

test('the same documents in another order are the same', async () => {
  const { source, target, differences } = await compare(
    side(numbers),
    side([...numbers].reverse()),
  );
  expect(differences).toEqual([]);
  expect(source.checksum()).toBe(target.checksum());
  expect(target.count).toBe(500);
});

test('each document that differs is named, with the way in which it does', async () => {
  const wanted = [
    ...numbers,
    ...[document('gone'), document('old', { version: '9007199254740993' })],
    ...[
      document('late'),
      document('timed', { timestamp: 5 }),
      document('routed', { routing: 'a' }),
    ],
    document('over', { expires: 1 }),
  ];
  const found = [
    ...numbers,
    ...[document('more'), document('old', { version: '9007199254740992' })],
    ...[
      document('late', { version: '2' }),
      document('timed'),
      document('routed', { routing: 'b' }),
    ],
  ];
  const { differences } = await compare(side(wanted), side(found));
  const told = differences.map(({ kind, document: { id, routing } }) => [kind, id, routing]);
  expect(told.sort()).toEqual([
    ['extra', 'more', null],
    ['extra', 'routed', 'b'],
    ['missing', 'gone', null],
    ['missing', 'routed', 'a'],
    ['newer', 'late', null],
    ['older', 'old', null],
    ['other', 'timed', null],
  ]);
});

test('what a side does not keep is not compared', async () => {
  const left = [document('1', { version: null, timestamp: 5 })];
  const right = [document('1', { version: '7' })];
  const { differences } = await compare(side(left, { times: false, versions: false }), side(right));
  expect(differences).toEqual([]);
});

test('a listing that breaks off or begins anew counts nothing twice', async () => {
  let runs = 0;
  const part = async function* () {
    yield await Promise.resolve(numbers.slice(0, 300));
    if (++runs === 1) throw new BrokenScanError('lost');
    if (runs === 2) yield 'anew' as const;
    if (runs === 2) yield numbers.slice(0, 300);
    yield numbers.slice(300);
  };
  const broken: Side = { parts: [part], compared: { times: true, versions: true } };
  const { source, differences } = await compare(broken, side(numbers));
  expect(source.count).toBe(500);
  expect(differences).toEqual([]);
});
