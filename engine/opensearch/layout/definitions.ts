// What an OpenSearch index is told of its fields. Each field is defined when the first document has it.

import type { IndexedField } from '../../mapping/index';
import type { FieldId } from '../../metadata/index';
import { type Similarities, similarityOf } from '../../similarity/index';
import {
  ENVELOPE,
  latitudeField,
  longitudeField,
  normField,
  PRESENT,
  SOURCE,
  termField,
  tokensField,
  valueField,
} from './names';
import { TOKEN_ANALYSIS } from './token-text';

/** Definitions by name, as `properties` have them. */
export type Definitions = Readonly<Record<string, object>>;

/** Stands for the analyzer of all texts and for how they are scored. */
const TOKENS = 'tokens';

/**
 * Boost, frequency and length, in 32 bits as 1.x has them; what statistics have to say goes into the boosts
 * of clauses. Of the factor for the length three bits of the mantissa count.
 */
const SCRIPTED = {
  type: 'scripted',
  script: {
    source:
      'float factor = (float) (1 / Math.sqrt(doc.length)); ' +
      'float norm = Float.intBitsToFloat((Float.floatToIntBits(factor) >> 21) << 21); ' +
      'float tf = (float) Math.sqrt(doc.freq); float boost = (float) query.boost; ' +
      'return (float) ((float) (boost * tf) * norm);',
  },
};

const KEYWORD = { type: 'keyword' } as const;
const UNSEARCHED = { type: 'keyword', index: false, doc_values: false } as const;
const FREE_DOUBLE = { type: 'double' } as const;

/** Whether the tokens of a string have their places, frequencies or lengths; else its terms are enough. */
export function isText({ analyzer, norms, indexed, indexOptions }: IndexedField): boolean {
  return indexed && (analyzer !== null || norms || indexOptions !== 'docs');
}

/** Whether scores of a field need more than the default similarity does. */
export function isMeasured(similarities: Similarities, field: FieldId): boolean {
  return similarityOf(similarities, field).kind !== 'default';
}

/** Offsets are of the tokens' text, and say nothing of a document's. */
const INDEX_OPTIONS = {
  docs: 'docs',
  freqs: 'freqs',
  positions: 'positions',
  offsets: 'positions',
} as const;

/** What a field is measured by whose similarity is not the default one, by name. */
export function measuresOf({ id }: IndexedField): Definitions {
  return {
    [normField(id)]: { type: 'short', index: false },
    [tokensField(id)]: { type: 'integer', index: false },
  };
}

/** What belongs to a field, by name. */
export function definitionsOf(field: IndexedField): Definitions {
  const { id, kind, norms, indexOptions } = field;
  switch (kind) {
    case 'string': {
      const terms = { [termField(id)]: KEYWORD };
      if (!isText(field)) return terms;
      const index_options = INDEX_OPTIONS[indexOptions];
      const text = { type: 'text', analyzer: TOKENS, similarity: TOKENS, norms, index_options };
      return { ...terms, [valueField(id)]: text };
    }
    case 'int':
    case 'long':
      return { [valueField(id)]: { type: 'long' } };
    case 'float':
    case 'double':
      return { [valueField(id)]: { type: 'double' } };
    case 'geo':
      return {
        [valueField(id)]: { type: 'geo_point' },
        [latitudeField(id)]: FREE_DOUBLE,
        [longitudeField(id)]: FREE_DOUBLE,
      };
  }
}

/** A nested object with nothing in it yet. */
export const NESTED_DEFINITION = {
  type: 'nested',
  dynamic: 'strict',
  properties: { [PRESENT]: KEYWORD },
} as const;

/**
 * The body that an index is created with.
 *
 * @param shards as many as the index has to its users
 * @param refreshInterval as its setting says
 */
export function indexBody(shards: number, replicas: number, refreshInterval: string): object {
  return {
    settings: {
      number_of_shards: shards,
      number_of_routing_shards: shards,
      number_of_replicas: replicas,

      refresh_interval: refreshInterval,
      analysis: TOKEN_ANALYSIS,
      similarity: { [TOKENS]: SCRIPTED },
      max_result_window: 2_147_483_647,
      max_terms_count: 1_000_000,
      max_regex_length: 100_000,
      max_inner_result_window: 10_000,
      mapping: {
        total_fields: { limit: 100_000 },
        nested_fields: { limit: 10_000 },
        nested_objects: { limit: 1_000_000 },
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { includes: [SOURCE, ENVELOPE] },
      properties: {
        [SOURCE]: UNSEARCHED,
        [ENVELOPE]: UNSEARCHED,
        [PRESENT]: KEYWORD,
      },
    },
  };
}
