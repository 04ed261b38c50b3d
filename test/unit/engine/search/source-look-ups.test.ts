// Documents that requests look into: parsing that could not wait for them is done again.

import { EngineError } from '../../../../engine/errors';
import { SourceLookUps } from '../../../../engine/search/source-look-ups';

const documents: ReadonlyMap<string, string> = new Map([
  ['1', '2'],
  ['2', '3'],
]);

function lookUps(limit = 1000): { readonly lookUps: SourceLookUps; readonly read: string[] } {
  const read: string[] = [];
  const made = new SourceLookUps(async (index, _type, id) => {
    read.push(id);
    if (index === 'missing') throw new EngineError('IndexMissingException', '[missing] missing');
    const source = documents.get(id);
    return source === undefined ? undefined : Buffer.from(source);
  }, limit);
  return { lookUps: made, read };
}

test('what looks nothing up is parsed once, at once', () => {
  const { lookUps: none, read } = lookUps();
  expect(none.resolve(() => 7)).toBe(7);
  expect(() =>
    none.resolve(() => {
      throw new Error('bad');
    }),
  ).toThrow('bad');
  expect(read).toEqual([]);
});

test('documents that name others are followed, each is read once', async () => {
  const { lookUps: some, read } = lookUps();
  let rounds = 0;
  const parse = (): string => {
    rounds++;
    const next = some.get('i', 't', '1', undefined)?.toString() ?? 'none';
    some.get('i', 't', '1', undefined);
    return `${next} ${some.get('i', 't', next, undefined)?.toString() ?? 'nothing'}`;
  };
  expect(await some.resolve(parse)).toBe('2 3');
  expect(rounds).toBe(3);
  expect(read).toEqual(['1', 'none', '2']);
});

test('errors come in the order of parsing', async () => {
  const { lookUps: some } = lookUps();
  const parse = (): void => {
    some.get('i', 't', '1', undefined);
    some.get('missing', 't', '1', 'r');
    throw new Error('later');
  };
  await expect(async () => some.resolve(parse)).rejects.toThrow('[missing] missing');
  const { lookUps: others } = lookUps();
  const fails = (): void => {
    if (others.get('i', 't', '1', undefined) !== undefined) throw new Error('found it');
    throw new Error('did not find it');
  };
  await expect(async () => others.resolve(fails)).rejects.toThrow('found it');
});

test('documents that are too large together are refused', async () => {
  const { lookUps: some } = lookUps(1);
  const parse = (): void => {
    some.get('i', 't', '1', undefined);
    some.get('i', 't', '2', undefined);
  };
  await expect(async () => some.resolve(parse)).rejects.toMatchObject({
    wireName: 'CircuitBreakingException',
  });
});
