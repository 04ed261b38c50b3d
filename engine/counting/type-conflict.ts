// What shards counted of indices that disagree about the type of a field.

import { EngineError } from '../errors';

/**
 * What shards counted cannot be added up, because indices disagree about the type of a field. Searches say in
 * which phase that was noticed.
 */
export class TypeConflict extends EngineError {
  /** @param wireName what the reference server fails with */
  constructor(wireName: 'ClassCastException' | 'NumberFormatException') {
    super(wireName, 'the field is mapped with different types in the searched indices');
  }
}
