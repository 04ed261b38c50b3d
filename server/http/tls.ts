// Certificates from files, read when the node starts and again on SIGHUP.

import { readFileSync, statSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { ConfigError, type TlsSettings } from '../config/index';

/** Bits of a mode that let anybody but the owner in. */
const NOT_THE_OWNER = 0o077;

/**
 * What connections are secured with.
 *
 * @throws ConfigError for files that cannot be read, and a private key that others may read
 */
export function secureContext({ certificate, key, clientCa }: TlsSettings): SecureContextOptions {
  const mode = orConfigError(key, () => statSync(key).mode);
  if ((mode & NOT_THE_OWNER) !== 0) {
    throw new ConfigError(
      `http.tls.key: ${key} may be read by others than its owner; chmod 600 makes it private`,
    );
  }
  return {
    cert: orConfigError(certificate, () => readFileSync(certificate)),
    key: orConfigError(key, () => readFileSync(key)),
    ...(clientCa === null ? {} : { ca: orConfigError(clientCa, () => readFileSync(clientCa)) }),
    minVersion: 'TLSv1.2',
  };
}

function orConfigError<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`cannot read ${path}: ${code ?? String(error)}`);
  }
}
