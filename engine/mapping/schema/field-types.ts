// THE table of field types. A new type is one file below types/ and one line here.

import { didYouMean } from '../../common/index';
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
  ['string', (name, node, context) => StringMapping.parse(name, node, context)],
  ['byte', (name, node, context) => NumberMapping.parse('byte', name, node, context)],
  ['short', (name, node, context) => NumberMapping.parse('short', name, node, context)],
  ['integer', (name, node, context) => NumberMapping.parse('integer', name, node, context)],
  ['long', (name, node, context) => NumberMapping.parse('long', name, node, context)],
  ['float', (name, node, context) => NumberMapping.parse('float', name, node, context)],
  ['double', (name, node, context) => NumberMapping.parse('double', name, node, context)],
  ['date', (name, node, context) => DateMapping.parse(name, node, context)],
  ['boolean', (name, node, context) => BooleanMapping.parse(name, node, context)],
  ['ip', (name, node, context) => IpMapping.parse(name, node, context)],
  ['binary', (name, node, context) => BinaryMapping.parse(name, node, context)],
  ['geo_point', (name, node, context) => GeoPointMapping.parse(name, node, context)],
  ['geo_shape', (name, node, context) => GeoShapeMapping.parse(name, node, context)],
  ['completion', (name, node, context) => CompletionMapping.parse(name, node, context)],
  ['murmur3', (name, node, context) => Murmur3Mapping.parse(name, node, context)],
  ['token_count', (name, node, context) => TokenCountMapping.parse(name, node, context)],
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
  if (!parser) {
    const meant = didYouMean(type, FIELD_TYPES.keys());
    throw mapperParsing(`No handler for type [${type}] declared on field [${name}]${meant}`);
  }
  return parser(name, node, context);
}
