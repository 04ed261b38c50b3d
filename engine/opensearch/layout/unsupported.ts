// What there is not over OpenSearch says so by name.

import { EngineError } from '../../errors';

/** 400 for something that the embedded engine has. */
export class UnsupportedError extends EngineError {
  /** @param what with its verb, e.g. `a [script] query is` */
  constructor(what: string, why = '') {
    const reason = why === '' ? '' : `: ${why}`;
    super(
      'ElasticsearchIllegalArgumentException',
      `${what} not supported by the OpenSearch backend${reason}`,
    );
  }
}

/** @param what e.g. `a [script] query` */
export function unsupported(what: string, why = ''): UnsupportedError {
  return new UnsupportedError(`${what} is`, why);
}
