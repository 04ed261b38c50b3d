// What OpenSearch knows of terms: a document that is made of them is asked for its term vectors there, which
// tell how many documents and tokens of the shard each term has, deleted documents included as in 1.x.

import type {
  DocumentTarget,
  FieldFigures,
  StoredDocument,
  VisibleTerms,
  WantedTerms,
} from '../../documents/index';
import { isJsonObject, type JsonObject } from '../../json/index';
import type { IndexedField } from '../../mapping/index';
import type { FieldId, IndexMetadata } from '../../metadata/index';
import { MAX_TERM_BYTES } from '../../segment/index';
import { definitionsOf, isText } from '../layout/definitions';
import { termField, valueField } from '../layout/names';
import { routingValues } from '../layout/shard-routing';
import { escapedToken, FILLER, TokenText } from '../layout/token-text';
import { doubleAt, partOf } from '../transport/answers';
import type { OpenSearchClient } from '../transport/client';
import type { RemoteIndex } from './remote-indices';
import type { RemoteReads } from './remote-reads';

/** Reads figures of terms. Those of fields of nested objects are not there. */
export class RemoteTerms implements VisibleTerms {
  constructor(
    private readonly client: OpenSearchClient,
    private readonly reads: RemoteReads,
    private readonly index: (metadata: IndexMetadata) => RemoteIndex,
  ) {}

  async isVisible(target: DocumentTarget, { record, entry }: StoredDocument): Promise<boolean> {
    const seen = await this.reads.load(target, record.type, record.id, false);
    return seen?.entry.sequence === entry.sequence;
  }

  async figures(
    { metadata, shard }: Pick<DocumentTarget, 'metadata' | 'shard'>,
    wanted: readonly WantedTerms[],
  ): Promise<ReadonlyMap<FieldId, FieldFigures>> {
    const index = this.index(metadata);
    await index.define(undefinedOf(wanted, index.definitions));
    const body = termsRequest(wanted);
    const query = { routing: routingValues(index.shards.length)[shard]! };
    const path = `/${index.remoteName}/_termvectors`;
    const answer = await index.succeed(() => this.client.request('POST', path, { query, body }));
    return figuresOf(wanted, answer.body);
  }
}

/** What OpenSearch may not know of yet: a document with other fields is refused. */
function undefinedOf(
  wanted: readonly WantedTerms[],
  known: ReadonlySet<string>,
): ReadonlyMap<string, object> {
  const missing = new Map<string, object>();
  for (const { field } of wanted) {
    for (const [name, definition] of Object.entries(definitionsOf(field))) {
      if (!known.has(name)) missing.set(name, definition);
    }
  }
  return missing;
}

/** Asks for the terms of a document that has all of them. */
export function termsRequest(wanted: readonly WantedTerms[]): object {
  const doc: Record<string, string | readonly string[]> = {};
  for (const { field, terms } of wanted) {
    const some = terms.filter((term) => Buffer.byteLength(term) <= MAX_TERM_BYTES);
    if (isText(field)) {
      const text = new TokenText();
      for (const term of some) text.add(term, 1);
      text.addFiller();
      doc[valueField(field.id)] = text.toString();
    } else {
      // A field without a value is not told of.
      doc[termField(field.id)] = some.length === 0 ? [''] : some;
    }
  }
  return {
    doc,
    fields: Object.keys(doc),
    field_statistics: true,
    term_statistics: true,
    positions: false,
    offsets: false,
    payloads: false,
  };
}

/** What the answer to {@link termsRequest} says, without what texts were made longer by. */
export function figuresOf(
  wanted: readonly WantedTerms[],
  answer: JsonObject,
): ReadonlyMap<FieldId, FieldFigures> {
  const vectors = partOf(answer, 'term_vectors');
  const figures = new Map<FieldId, FieldFigures>();
  for (const { field, terms } of wanted) {
    const isTokens = isText(field);
    const found = partOf(vectors, isTokens ? valueField(field.id) : termField(field.id));
    const sums = partOf(found, 'field_statistics');
    const docCount = doubleAt(sums, 'doc_count', 0);
    if (docCount === 0) continue;
    const told = partOf(found, 'terms');
    const filler = isTokens ? figuresAt(told, FILLER, field) : null;
    const known = new Map<string, TermFigures>();
    for (const term of terms) {
      const each = figuresAt(told, isTokens ? escapedToken(term) : term, field);
      if (each !== null) known.set(term, each);
    }
    const sumTtf = doubleAt(sums, 'sum_ttf', -1) - (filler?.totalTermFreq ?? 0);
    figures.set(field.id, {
      docCount,
      sumDocFreq: doubleAt(sums, 'sum_doc_freq', 0) - (filler?.docFreq ?? 0),
      sumTotalTermFreq: hasFreqs(field) ? sumTtf : -1,
      terms: known,
    });
  }
  return figures;
}

interface TermFigures {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/** Null: no document has it. */
function figuresAt(
  terms: JsonObject | null,
  name: string,
  field: IndexedField,
): TermFigures | null {
  const each = terms?.get(name);
  if (!isJsonObject(each ?? null)) return null;
  const docFreq = doubleAt(each as JsonObject, 'doc_freq', 0);
  if (docFreq === 0) return null;
  const totalTermFreq = hasFreqs(field) ? doubleAt(each as JsonObject, 'ttf', -1) : -1;
  return { docFreq, totalTermFreq };
}

function hasFreqs({ indexOptions }: IndexedField): boolean {
  return indexOptions !== 'docs';
}
