// THE table of field types. A new type is one file below types/ and one line here.

import { mapperParsing, underscoreCase } from '../../json/index';
import { BinaryMapping } from '../types/binary';
import { BooleanMapping } from '../types/boolean';
import { CompletionMapping } from '../types/completion';
import { DateMapping } from '../types/date';
import type { FieldMapping } from '../types/field-mapping';
import { GeoPointMapping } from '../types/geo-point';
import { GeoShapeMapping } from '../types/geo-shape';
import { IpMapping } from '../types/ip';
import { multiField } from '../types/multi-field';
import { Murmur3Mapping } from '../types/murmur3';
import { NumberMapping } from '../types/number';
import { type MappingContext, type OptionNode, optionText } from '../types/options';
import { StringMapping } from '../types/string';
import { TokenCountMapping } from '../types/token-count';

type FieldTypeParser = (name: string, node: OptionNode, context: MappingContext) => FieldMapping;

const FIELD_TYPES: ReadonlyMap<string, FieldTypeParser> = new Map<string, FieldTypeParser>([
  ['string', (...args) => StringMapping.parse(...args)],
  ['byte', (...args) => NumberMapping.parse('byte', ...args)],
  ['short', (...args) => NumberMapping.parse('short', ...args)],
  ['integer', (...args) => NumberMapping.parse('integer', ...args)],
  ['long', (...args) => NumberMapping.parse('long', ...args)],
  ['float', (...args) => NumberMapping.parse('float', ...args)],
  ['double', (...args) => NumberMapping.parse('double', ...args)],
  ['date', (...args) => DateMapping.parse(...args)],
  ['boolean', (...args) => BooleanMapping.parse(...args)],
  ['ip', (...args) => IpMapping.parse(...args)],
  ['binary', (...args) => BinaryMapping.parse(...args)],
  ['geo_point', (...args) => GeoPointMapping.parse(...args)],
  ['geo_shape', (...args) => GeoShapeMapping.parse(...args)],
  ['completion', (...args) => CompletionMapping.parse(...args)],
  ['murmur3', (...args) => Murmur3Mapping.parse(...args)],
  ['token_count', (...args) => TokenCountMapping.parse(...args)],
  ['multi_field', multiField],
]);

/** True for names of object types, which hold fields and are read elsewhere (object-mapping.ts). */
export function isObjectType(type: string): boolean {
  const name = underscoreCase(type);
  return name === 'object' || name === 'nested';
}

/** True when mappings may name this type. */
export function isKnownType(type: string): boolean {
  return isObjectType(type) || FIELD_TYPES.has(underscoreCase(type));
}

/**
 * Reads a field that is no object.
 *
 * @throws EngineError MapperParsingException for unknown types; what the type throws
 */
export function parseFieldMapping(
  name: string,
  node: OptionNode,
  context: MappingContext,
): FieldMapping {
  const type = optionText(node, 'type') ?? '';
  const parser = FIELD_TYPES.get(underscoreCase(type));
  if (!parser) throw mapperParsing(`No handler for type [${type}] declared on field [${name}]`);
  return parser(name, node, context);
}
