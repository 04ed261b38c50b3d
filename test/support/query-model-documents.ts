// The documents of the query model, with the statistics that scores need.

import { FIELDS, PATHS, WORDS, type FieldName, type TestObject } from './query-segments';

const f = Math.fround;

interface Occurrence {
  readonly term: string;
  readonly position: number;
}

/** One document as an index sees it. */
export interface ModelDoc {
  readonly path: string | null;
  /** Index of the document that holds a nested object, within the segment. */
  parent: number;
  readonly terms: ReadonlyMap<number, readonly Occurrence[]>;
  readonly numbers: ReadonlyMap<number, readonly (number | bigint)[]>;
}

/** Documents of one segment in order: nested objects before what holds them. */
export function modelOf(documents: readonly TestObject[]): ModelDoc[] {
  const docs: ModelDoc[] = [];
  const add = (object: TestObject, depth: number): number => {
    const children = (object.nested ?? []).map((nested) => add(nested, depth + 1));
    const index = docs.push(modelDoc(object, depth)) - 1;
    for (const child of children) docs[child]!.parent = index;
    return index;
  };
  for (const document of documents) add(document, 0);
  return docs;
}

function modelDoc(object: TestObject, depth: number): ModelDoc {
  const terms = new Map<number, Occurrence[]>();
  const numbers = new Map<number, (number | bigint)[]>();
  for (const [name, values] of Object.entries(object.values)) {
    const field = FIELDS[name as FieldName];
    let position = -1;
    for (const value of values) {
      if (typeof value !== 'string') {
        numbers.set(field.id, [...(numbers.get(field.id) ?? []), value]);
        continue;
      }
      const list = terms.get(field.id) ?? [];
      terms.set(field.id, list);
      if (field.analyzer === null) {
        position++;
        if (!list.some((each) => each.term === value)) list.push({ term: value, position });
      } else {
        const skipped = WORDS.forEachTerm(value, (term, increment) => {
          position += increment;
          list.push({ term, position });
        });
        position += skipped ?? 0;
      }
    }
  }
  return { path: depth === 0 ? null : PATHS[depth - 1]!, parent: -1, terms, numbers };
}

/** A shard: segments of documents. */
export interface ModelShard {
  readonly segments: readonly (readonly ModelDoc[])[];
}

/** Where a term stands in a document. */
export function occurrences(doc: ModelDoc, field: number, term: string): readonly Occurrence[] {
  return (doc.terms.get(field) ?? []).filter((each) => each.term === term);
}

/** Documents of all segments. */
export function allDocs(shard: ModelShard): ModelDoc[] {
  return shard.segments.flat();
}

/** The weight of a rare term. */
export function idf(shard: ModelShard, field: number, term: string): number {
  const docs = allDocs(shard);
  const docFreq = docs.filter((doc) => occurrences(doc, field, term).length > 0).length;
  return f(Math.log(docs.length / (docFreq + 1)) + 1);
}

/** The norm of a field, as it is kept. */
export function normOf(doc: ModelDoc, field: number): number {
  const target = Object.values(FIELDS).find((each) => each.id === field)!;
  if (!target.norms) return 1;
  // Length counts positions, not alternatives at one position.
  const list = doc.terms.get(field) ?? [];
  const length = new Set(list.map((each) => each.position)).size;
  return quantize(f(1 / Math.sqrt(length)));
}

/** Rounds down to quarters of a power of two. */
function quantize(value: number): number {
  const power = 2 ** Math.floor(Math.log2(value));
  return power * (1 + Math.floor((value / power - 1) * 4) / 4);
}
