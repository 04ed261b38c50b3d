// What may be asked about later: requests that were denied, and those that change more than documents. One
// line each in the log of the node, with `audit` saying which; never bodies, parameters or secrets.

import type { IncomingMessage } from 'node:http';
import type { AccessKey, Action } from '../../engine/index';
import type { Logger } from '../config/index';

/** Characters of a path that are logged. */
const MAX_PATH = 500;

/** A request that was answered. */
interface AuditedRequest {
  readonly requestId: string;
  /** Null: it was not known. */
  readonly key: AccessKey | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly request: IncomingMessage;
}

/** What is to be remembered of a request: that it was denied, or what it administers. Null: nothing. */
export function auditKind(action: Action, method: string, status: number): string | null {
  return status === 401 || status === 403 ? 'denied' : kindOf(action, method);
}

/** Logs a request that was denied or administrative. @param what of {@link auditKind} */
export function audit(logger: Logger, what: string, audited: AuditedRequest): void {
  const { requestId, key, method, target, status, request } = audited;
  const [path = ''] = target.split('?', 1);
  const fields = {
    audit: what,
    requestId,
    key: key?.id ?? null,
    address: request.socket.remoteAddress ?? null,
    method,
    path: path.slice(0, MAX_PATH),
    status,
  };
  if (what === 'denied') logger.warn(fields, 'request denied');
  else logger.info(fields, 'administrative request');
}

/** Null: reading, or writing of documents. */
function kindOf(action: Action, method: string): string | null {
  if (method === 'GET' || method === 'HEAD' || action.on === 'nothing') return null;
  if (action.on === 'everything') return 'cluster';
  const { privilege } = action;
  return privilege === 'read' || privilege === 'write' ? null : privilege;
}
