import {
  dependencyNames,
  readStanzas,
  toDocument,
  type Stanza,
} from '../../../scripts/debian-packages';

async function stanzasOf(text: string): Promise<Stanza[]> {
  async function* lines() {
    yield* text.split('\n');
  }
  const stanzas: Stanza[] = [];
  for await (const stanza of readStanzas(lines())) stanzas.push(stanza);
  return stanzas;
}

const PACKAGE_LIST = `Package: left
Version: 1.0-2
Installed-Size: 12
Maintainer: A <a@example.org>
Depends: libc6 (>= 2.34), right | wrong:any, libc6 (<< 3)
Tag: role::program,
 use::gaming
Section: games
Priority: optional
Description: a left thing
Description-md5: 0f

Package: right
Description: the other one
`;

test('continuation lines belong to their field, blank lines end a stanza', async () => {
  const stanzas = await stanzasOf(PACKAGE_LIST);
  expect(stanzas.map((stanza) => stanza.get('Package'))).toEqual(['left', 'right']);
  expect(stanzas[0]!.get('Tag')).toBe('role::program,\nuse::gaming');
});

test('a package becomes a document with distinct dependencies and tags', async () => {
  const [left, right] = await stanzasOf(PACKAGE_LIST);
  expect(toDocument(left!, new Map())).toEqual({
    name: 'left',
    version: '1.0-2',
    section: 'games',
    priority: 'optional',
    maintainer: 'A <a@example.org>',
    size: 12,
    tags: ['role::program', 'use::gaming'],
    depends: ['libc6', 'right', 'wrong'],
    description: 'a left thing',
  });
  expect(toDocument(right!, new Map())).toMatchObject({ name: 'right', tags: [], depends: [] });
});

test('a long description takes the place of the short one', async () => {
  const [left] = await stanzasOf(PACKAGE_LIST);
  expect(toDocument(left!, new Map([['0f', 'a long story']]))).toMatchObject({
    description: 'a long story',
  });
});

test('versions, alternatives and architectures are no part of a dependency', () => {
  expect(dependencyNames('a (>= 1) | b, c:any, d [amd64], a')).toEqual(['a', 'b', 'c', 'd']);
  expect(dependencyNames('')).toEqual([]);
});
