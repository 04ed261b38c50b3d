// Answers to HEAD requests that ask whether something is there.

import { EngineError } from '../../engine/index';
import { empty, type ApiResponse } from '../request/index';

/** 200 or 404 without a body; a missing index is 404 too, other errors keep their status. */
export function exists(check: () => boolean): ApiResponse {
  try {
    return empty(check() ? 200 : 404);
  } catch (error) {
    if (error instanceof EngineError && error.wireName === 'IndexMissingException') {
      return empty(404);
    }
    throw error;
  }
}
