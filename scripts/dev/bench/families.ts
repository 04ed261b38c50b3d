// The index of rows about what the package list has not got: each maintainer is the parent of the packages,
// these have a place, and their descriptions a second field whose similarity is BM25. It is an index of its
// own, so that the other rows do not change.

import { readCorpus } from './corpus';
import { sendOrThrow } from './load';
import { hashText } from './random';
import type { Target } from './target';

/** The type of the parents. */
export const PARENT = 'maintainer';
/** The type of their children. */
export const CHILD = 'package';

const BATCH = 1000;
/** Maintainers live near one of so many towns. */
const TOWNS = 300;
/** Degrees of latitude and longitude around a town. */
const SPREAD = 3;

const KEYWORD = { type: 'string', index: 'not_analyzed' };
const INDEX_BODY = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    [PARENT]: { properties: { name: KEYWORD, place: { type: 'geo_point' } } },
    [CHILD]: {
      _parent: { type: PARENT },
      properties: {
        name: KEYWORD,
        size: { type: 'long' },
        place: { type: 'geo_point' },
        description: { type: 'string', similarity: 'BM25' },
      },
    },
  },
};

/** A point on the map. Degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Where something is: not far from a town that its text says, the same for the same text. */
export function placeOf(text: string): Place {
  const hash = hashText(text);
  const town = hashText(`town ${hash % TOWNS}`);
  const around = (bits: number): number => ((bits & 0xffff) / 0x8000 - 1) * SPREAD;
  return {
    lat: rounded(((town & 0xffff) / 0xffff) * 110 - 50 + around(hash >>> 3)),
    lon: rounded(((town >>> 16) / 0xffff) * 340 - 170 + around(Math.imul(hash, 0x9e3779b1))),
  };
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

/** Creates the index anew and loads the corpus into it. @throws Error when the server refuses */
export async function loadFamilies(target: Target, index: string, corpus: string): Promise<void> {
  await sendOrThrow(target, 'DELETE', `/${index}?ignore_unavailable=true`, '', [404]);
  await sendOrThrow(target, 'PUT', `/${index}`, JSON.stringify(INDEX_BODY));
  const parents = new Set<string>();
  let lines: string[] = [];
  const send = async (): Promise<void> => {
    if (lines.length > 0) await sendOrThrow(target, 'POST', `/${index}/_bulk`, lines.join(''));
    lines = [];
  };
  for await (const { id, source } of readCorpus(corpus)) {
    const { name, size, maintainer, description } = JSON.parse(source) as Package;
    if (!parents.has(maintainer)) {
      parents.add(maintainer);
      const action = { index: { _type: PARENT, _id: maintainer } };
      lines.push(line(action, { name: maintainer, place: placeOf(maintainer) }));
    }
    const action = { index: { _type: CHILD, _id: id, _parent: maintainer } };
    lines.push(line(action, { name, size, place: placeOf(id), description }));
    if (lines.length >= BATCH) await send();
  }
  await send();
}

interface Package {
  readonly name: string;
  readonly size: number;
  readonly maintainer: string;
  readonly description: string;
}

function line(action: object, source: object): string {
  return `${JSON.stringify(action)}\n${JSON.stringify(source)}\n`;
}
