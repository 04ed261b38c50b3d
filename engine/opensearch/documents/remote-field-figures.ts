// What a shard has of fields, for field statistics: documents and values are counted, the smallest and the
// largest value are the first ones in the order of the field. Of texts the term vectors tell more.

import { JsonNumber, type JsonObject, type JsonOutput } from '../../json/index';
import type { IndexMapping, MappedField } from '../../mapping/index';
import type { IndexMetadata } from '../../metadata/index';
import {
  addedFigures,
  type FieldFigures,
  type ShardFigures,
  termsPerValue,
} from '../../search/index';
import { isText } from '../layout/definitions';
import { termField, valueField, within } from '../layout/names';
import { unsupported } from '../layout/unsupported';
import { allDocuments, nestedCounts, nestedFieldsOf } from '../queries/nested-fields';
import { docCount, doubleAt, hitsOf, longOf, partOf } from '../transport/answers';
import type { OpenSearchClient } from '../transport/client';
import { shardFailureOf } from '../transport/failures';
import { multiSearch } from '../transport/multi-search';
import type { RemoteIndex } from './remote-indices';
import type { RemoteTerms } from './remote-terms';

/** A field in the documents themselves, or in nested objects of one path. */
interface Place {
  /** Which of the fields asked for. */
  readonly of: number;
  readonly mapped: MappedField;
  /** Of the nested objects; null: the documents. */
  readonly path: string | null;
  /** What OpenSearch calls it. */
  readonly name: string;
}

/** How often a field occurs in a place. */
interface Counts {
  readonly docs: number;
  readonly values: number;
}

/** Gathers figures of fields. */
export class RemoteFieldFigures {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly index: (metadata: IndexMetadata) => RemoteIndex,
    private readonly terms: RemoteTerms,
  ) {}

  /** @throws EngineError of the shard; 400 for points, which have no order there */
  async ofShard(
    metadata: IndexMetadata,
    shard: number,
    fields: readonly MappedField[],
  ): Promise<ShardFigures> {
    const index = this.index(metadata);
    const mapping = index.mapping(metadata);
    const places = fields.flatMap((mapped, of) => placesOf(mapping, mapped, of));
    const preference = `_shards:${shard}`;
    const { paths } = nestedFieldsOf(mapping);
    const path = `/${index.remoteName}/_search`;
    const body = countRequest(places, paths);
    const answer = await index.succeed(() =>
      this.client.request('POST', path, { query: { preference }, body }),
    );
    const failure = shardFailureOf(answer.body);
    if (failure !== null) throw failure;
    const aggs = partOf(answer.body, 'aggregations');
    const maxDoc = allDocuments(answer.body, paths);
    const counts = places.map((place, i) => countsOf(place, partOf(aggs, `v${i}`)));
    const found = places.flatMap((place, i) => (counts[i]!.docs > 0 ? [{ place, i }] : []));
    const bounds = await this.bounds(
      { index: index.remoteName, preference },
      found.map(({ place }) => place),
    );
    const texts = found.flatMap(({ place: { mapped, path: nested } }) => {
      const field = mapped.field!;
      return nested === null && field.kind === 'string' && isText(field) ? [field] : [];
    });
    const wanted = texts.map((field) => ({ field, terms: [] }));
    const told = wanted.length === 0 ? null : await this.terms.figures({ metadata, shard }, wanted);
    const figures = new Array<FieldFigures | null>(fields.length).fill(null);
    found.forEach(({ place, i }, at) => {
      const { of, mapped, path: nested } = place;
      const { docs, values } = counts[i]!;
      const [min, max] = bounds[at]!;
      const isString = mapped.field!.kind === 'string';
      const ofText = nested === null ? told?.get(mapped.field!.id) : undefined;
      const own = {
        docCount: ofText?.docCount ?? docs,
        sumDocFreq: ofText?.sumDocFreq ?? values * (isString ? 1 : termsPerValue(mapped.type)),
        sumTotalTermFreq: ofText?.sumTotalTermFreq ?? -1,
        min,
        max,
      };
      const other = figures[of]!;
      figures[of] = other === null ? own : addedFigures(other, own);
    });
    return { maxDoc, fields: figures };
  }

  /** The smallest and the largest value of fields that have some. */
  private async bounds(
    header: Readonly<Record<string, string>>,
    places: readonly Place[],
  ): Promise<readonly (readonly [FieldFigures['min'], FieldFigures['max']])[]> {
    if (places.length === 0) return [];
    const items = places.flatMap((place) =>
      (['asc', 'desc'] as const).map((order) => ({ header, body: boundRequest(place, order) })),
    );
    const answers = await multiSearch(this.client, items);
    const values = answers.map((answer, i) => {
      const failure = shardFailureOf(answer);
      if (failure !== null) throw failure;
      return boundOf(places[i >> 1]!, answer);
    });
    return places.map((_, i) => [values[2 * i]!, values[2 * i + 1]!]);
  }
}

function placesOf(mapping: IndexMapping, mapped: MappedField, of: number): readonly Place[] {
  const { id, kind } = mapped.field!;
  if (kind === 'geo') {
    throw unsupported(`_field_stats of [${mapped.path}]`, 'points have no order there');
  }
  const field = kind === 'string' ? termField(id) : valueField(id);
  const paths = nestedFieldsOf(mapping).placesOf.get(id) ?? [null];
  return paths.map((path) => ({ of, mapped, path, name: within(path, field) }));
}

/** How many documents and values there are. @param paths of nested objects */
export function countRequest(places: readonly Place[], paths: readonly string[]): object {
  const aggs = nestedCounts(paths);
  places.forEach(({ path, name: field }, i) => {
    const there = {
      filter: { exists: { field } },
      aggs: { values: { value_count: { field } } },
    };
    aggs[`v${i}`] = path === null ? there : { nested: { path }, aggs: { there } };
  });
  return { size: 0, track_total_hits: true, aggs };
}

function countsOf({ path }: Place, answer: JsonObject | null): Counts {
  const there = path === null ? answer : partOf(answer, 'there');
  return { docs: docCount(there), values: doubleAt(partOf(there, 'values'), 'value', 0) };
}

/** The document with the smallest or the largest value. */
export function boundRequest({ path, name }: Place, order: 'asc' | 'desc'): JsonOutput {
  const exists = { exists: { field: name } };
  const mode = order === 'asc' ? 'min' : 'max';
  const nested = path === null ? {} : { nested: { path } };
  return {
    query: { bool: { filter: [path === null ? exists : { nested: { path, query: exists } }] } },
    size: 1,
    sort: [{ [name]: { order, mode, ...nested } }],
    track_total_hits: false,
    _source: false,
  };
}

function boundOf({ mapped }: Place, answer: JsonObject): FieldFigures['min'] {
  const [hit] = hitsOf(answer);
  const sort = hit?.get('sort');
  const [value = null] = Array.isArray(sort) ? sort : [];
  const { kind } = mapped.field!;
  if (kind === 'string') return typeof value === 'string' ? value : '';
  if (kind !== 'int' && kind !== 'long') return value instanceof JsonNumber ? value.value : NaN;
  const exact = longOf(value);
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}
