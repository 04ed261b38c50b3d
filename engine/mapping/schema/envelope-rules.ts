// What a type's metadata fields demand of a document before it is parsed.

import {
  isJsonObject,
  JsonNumber,
  type JsonValue,
  javaText,
  type SourceFilter,
} from '../../json/index';
import { DEFAULT_DATE_FORMAT } from '../dates/date-format';
import type { TypeMapping } from './type-mapping';

/** Rules of one type; see envelope.ts for how they are applied. */
export interface EnvelopeRules {
  readonly idPath: string | null;
  readonly routingRequired: boolean;
  readonly routingPath: string | null;
  readonly parentType: string | null;
  readonly timestamp: {
    readonly enabled: boolean;
    readonly path: string | null;
    readonly format: string;
    /** `now` or a date. */
    readonly standard: string;
    /** False: a document without a timestamp is refused. */
    readonly ignoreMissing: boolean;
  };
  readonly ttl: {
    readonly enabled: boolean;
    /** Milliseconds given to documents that bring none; null: they do not expire. */
    readonly standard: number | null;
  };
}

/** Rules of types that nothing is known of. */
export const NO_RULES: EnvelopeRules = {
  idPath: null,
  routingRequired: false,
  routingPath: null,
  parentType: null,
  timestamp: {
    enabled: false,
    path: null,
    format: DEFAULT_DATE_FORMAT,
    standard: 'now',
    ignoreMissing: true,
  },
  ttl: { enabled: false, standard: null },
};

function text(value: JsonValue | undefined): string | null {
  return value === undefined || value === null ? null : javaText(value);
}

/** The rules that the metadata fields of a type set for its documents. */
export function envelopeRules(mapping: TypeMapping): EnvelopeRules {
  const ttl = mapping.metaOption('_ttl', 'default');
  return {
    idPath: text(mapping.metaOption('_id', 'path')),
    routingRequired: mapping.metaOption('_routing', 'required') === true,
    routingPath: text(mapping.metaOption('_routing', 'path')),
    parentType: text(mapping.metaOption('_parent', 'type')),
    timestamp: {
      enabled: mapping.metaOption('_timestamp', 'enabled') === true,
      path: text(mapping.metaOption('_timestamp', 'path')),
      format: text(mapping.metaOption('_timestamp', 'format')) ?? DEFAULT_DATE_FORMAT,
      standard: text(mapping.metaOption('_timestamp', 'default')) ?? 'now',
      ignoreMissing: mapping.metaOption('_timestamp', 'ignore_missing') !== false,
    },
    ttl: {
      enabled: mapping.metaOption('_ttl', 'enabled') === true,
      standard: ttl instanceof JsonNumber && ttl.value > 0 ? ttl.value : null,
    },
  };
}

/** How `_source` of a type is stored and shown. */
export function sourceFilterOf(mapping: TypeMapping): SourceFilter {
  const source = mapping.meta.get('_source');
  if (!isJsonObject(source)) return true;
  if (source.get('enabled') === false) return false;
  const list = (name: string): string[] => {
    const value = source.get(name);
    return Array.isArray(value) ? value.map(javaText) : [];
  };
  const filter = { includes: list('includes'), excludes: list('excludes') };
  return filter.includes.length + filter.excludes.length === 0 ? true : filter;
}
