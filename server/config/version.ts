// Which version this is, and which one it is a drop-in for.

import { findPackage } from '../../engine/index';

/** What clients of the reference server are told. */
export const COMPATIBLE_VERSION = '1.7.6';
/** The same as a number. */
export const COMPATIBLE_VERSION_ID = 1070699;
export const LUCENE_VERSION = '4.10.4';

/** The version of this package. */
export function facetdVersion(): string {
  return findPackage().version;
}
