// Certificates from files, read when the node starts and again on SIGHUP.

import { readFileSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import { isOpenToOthers, isWrittenByAll } from '../../engine/index';
import { ConfigError, type TlsSettings } from '../config/index';

/**
 * What connections are secured with.
 *
 * @throws ConfigError for files that cannot be read, a private key that others may read, and certificates
 *   that everybody may replace
 */
export function secureContext({ certificate, key, clientCa }: TlsSettings): SecureContextOptions {
  if (orConfigError(key, () => isOpenToOthers(key))) {
    throw new ConfigError(
      `http.tls.key: ${key} may be read by others than its owner; chmod 600 makes it private`,
    );
  }
  for (const path of [certificate, ...(clientCa === null ? [] : [clientCa])]) {
    if (!orConfigError(path, () => isWrittenByAll(path))) continue;
    throw new ConfigError(
      `http.tls: ${path}, or its folder, may be written by every user; chmod o-w makes it safe`,
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
