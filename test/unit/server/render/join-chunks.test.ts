import { joinChunks, joinSmall } from '../../../../server/render/join-chunks';

const bytes = (length: number, fill: string): Buffer => Buffer.alloc(length, fill);

test('small pieces are put together, large ones are left as they are', async () => {
  const large = bytes(65_536, 'L');
  const lists = [
    [bytes(10, 'a'), bytes(20, 'b')],
    [],
    [large, bytes(5, 'c')],
    ...Array.from({ length: 3000 }, () => [bytes(50, 'd'), bytes(50, 'e')]),
  ];
  const joined = await joinChunks(lists);
  expect(Buffer.concat(joined).equals(Buffer.concat(lists.flat()))).toBe(true);
  expect(joined[0]!.toString()).toBe('a'.repeat(10) + 'b'.repeat(20));
  expect(joined[1]).toBe(large);
  expect(joined.length).toBe(2 + Math.ceil(300_005 / 65_600));
});

test('nothing becomes nothing', async () => {
  expect(await joinChunks([])).toEqual([]);
});

test('few bytes are put together, many are left as they are', () => {
  expect(joinSmall([bytes(3, 'a'), bytes(4, 'b')])).toEqual([Buffer.from('aaabbbb')]);
  const many = [bytes(65_000, 'a'), bytes(600, 'b')];
  expect(joinSmall(many)).toBe(many);
});
