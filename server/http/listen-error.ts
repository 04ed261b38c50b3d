// Why a server cannot listen, in words for the operator: what is wrong, by whom, and what to do.

import { readFileSync } from 'node:fs';
import { fileHolder, holderText } from '../../engine/index';

/** An address that cannot be listened on. `message` is for the operator. */
export class ListenError extends Error {}

/** What went wrong with listening, explained where it is an everyday mistake. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const options = { cause: error };
  switch (error.code) {
    case 'EADDRINUSE': {
      const holder = holderText(portHolder(port));
      return new ListenError(
        `port ${port} of ${host} is taken by another process${holder}: stop that one, or choose another ` +
          'port (--port 9201, or setting http.port; --port 0 takes a free one)',
        options,
      );
    }
    case 'EACCES':
      return new ListenError(
        `this user may not listen on port ${port}: ports below 1024 need a privilege on most systems; ` +
          'choose another (--port 9200, or setting http.port)',
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ListenError(
        `${host} is no address of this machine: set network.host (--host) to one that is, such as 127.0.0.1`,
        options,
      );
    case undefined:
    default:
      return error;
  }
}

/** The process that listens on a port; null where that is not to be seen. */
function portHolder(port: number): ReturnType<typeof fileHolder> {
  const inode = listeningInode(port);
  return inode === null ? null : fileHolder(`socket:[${inode}]`);
}

/** State of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

function listeningInode(port: number): string | null {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(table, 'utf8');
    } catch {
      continue;
    }
    for (const line of text.split('\n')) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (local?.endsWith(suffix) === true && state === LISTENING) return inode ?? null;
    }
  }
  return null;
}
