// What an index is besides its documents, in the shape of 1.x whatever shape it came in, and which of it can
// go to another server.

import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json/index';
import { objectAt, textOf, valueAt } from './json-values';
import type { TimeFields } from './scan';

/** The type of stored percolator queries. */
export const PERCOLATOR_TYPE = '.percolator';

/** An index without its documents. */
export interface IndexDefinition {
  readonly name: string;
  readonly settings: JsonObject;
  /** By type. */
  readonly mappings: JsonObject;
  /** By name: filter and routing. */
  readonly aliases: JsonObject;
  /** By name: types and source. */
  readonly warmers: JsonObject;
}

/** Settings that say something about one copy of an index, and not about its documents. */
const OWN_SETTING = /^(?:uuid|creation_date|version\..*|version|routing\.allocation\..*)$/;
/** Settings that keep documents from being written; they are set at the end. */
const BLOCK = /^blocks\./;

/** Settings as one level, without the lead `index.`. */
function flatSettings(settings: JsonObject): Map<string, JsonValue> {
  const flat = new Map<string, JsonValue>();
  const add = (value: JsonValue, name: string): void => {
    if (isJsonObject(value)) {
      for (const [inner, member] of value) add(member, name === '' ? inner : `${name}.${inner}`);
    } else flat.set(name.replace(/^index\./, ''), value);
  };
  add(settings, '');
  return flat;
}

/** The settings that a new index begins with. */
export function creationSettings({ settings }: IndexDefinition): JsonObject {
  const kept = [...flatSettings(settings)].filter(
    ([name]) => !OWN_SETTING.test(name) && !BLOCK.test(name),
  );
  return new Map(kept.map(([name, value]) => [`index.${name}`, value]));
}

/** The settings that it gets when all documents are there. */
export function blockSettings({ settings }: IndexDefinition): JsonObject {
  const kept = [...flatSettings(settings)].filter(([name]) => BLOCK.test(name));
  return new Map(kept.map(([name, value]) => [`index.${name}`, value]));
}

/** The number of shards by the settings; null where they do not say. */
export function shardCount({ settings }: IndexDefinition): number | null {
  const count = Number(textOf(flatSettings(settings).get('number_of_shards')) ?? Number.NaN);
  return Number.isInteger(count) ? count : null;
}

/** Which times the documents of an index have. */
export function timeFields({ mappings }: IndexDefinition, isExact: boolean): TimeFields {
  const hasEnabled = (name: string): boolean =>
    [...mappings.values()].some((mapping) => textOf(valueAt(mapping, name, 'enabled')) === 'true');
  return { isTimestamped: hasEnabled('_timestamp'), hasTtl: hasEnabled('_ttl'), isExact };
}

/** What cannot be read back out of an index, for people. */
export function losses(definition: IndexDefinition, isExact: boolean): readonly string[] {
  const found: string[] = [];
  for (const [type, mapping] of definition.mappings) {
    const source = objectAt(mapping, '_source');
    if (textOf(source.get('enabled')) === 'false') {
      found.push(`type [${type}] keeps no _source: its documents cannot be read back`);
    } else if (source.has('includes') || source.has('excludes')) {
      found.push(`type [${type}] keeps a part of _source only: the rest cannot be read back`);
    }
    if (textOf(valueAt(mapping, '_routing', 'store')) === 'no') {
      found.push(`type [${type}] does not store _routing: it cannot be read back`);
    }
    const timestamp = objectAt(mapping, '_timestamp');
    const isStored = ['true', 'yes'].includes(textOf(timestamp.get('store')) ?? '');
    if (!isExact && textOf(timestamp.get('enabled')) === 'true' && !isStored) {
      found.push(`type [${type}] does not store _timestamp: its documents get the time of import`);
    }
  }
  return found;
}
