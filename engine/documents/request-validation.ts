// What is wrong with a write before anything is looked up: the reference's request validation. One action may
// have several problems; of a bulk request any problem refuses all of it.

import { appendAll } from '../common/index';
import { validationFailed } from '../errors';
import { scriptOf } from './script-update';
import { asksForUpsert } from './update-body';
import type { BulkAction, UpdateRequest, VersionType } from '../api/index';

const NONE: readonly string[] = [];
/** What the reference prints for a version that was not given. */
const NOT_GIVEN = -3;

/** The problems of an action, in the reference's words and order; empty when it may run. */
export function validateWrite({ kind, request }: BulkAction): readonly string[] {
  if (kind === 'update') return updateProblems(request);
  return isAllowed(request.version, request.versionType)
    ? NONE
    : [illegalVersion(request.version, request.versionType)];
}

/** @throws EngineError ActionRequestValidationException (400) listing all problems of all actions */
export function checkRequests(actions: readonly BulkAction[]): void {
  const problems: string[] = [];
  for (const action of actions) appendAll(problems, validateWrite(action));
  if (problems.length > 0) throw validationFailed(problems);
}

function updateProblems(request: UpdateRequest): readonly string[] {
  const { version, versionType, retryOnConflict, body } = request;
  const problems: string[] = [];
  if (versionType !== 'internal' && versionType !== 'force') {
    problems.push(`version type [${versionType.toUpperCase()}] is not supported by the update API`);
  } else {
    if (version !== undefined && retryOnConflict > 0) {
      problems.push("can't provide both retry_on_conflict and a specific version");
    }
    if (!isAllowed(version, versionType)) problems.push(illegalVersion(version, versionType));
  }
  const hasScript = scriptOf(body) !== null;
  if (!hasScript && !body.has('doc')) problems.push('script or doc is missing');
  if (hasScript && body.has('doc')) problems.push("can't provide both script and doc");
  if (!body.has('doc') && asksForUpsert(body)) {
    problems.push('doc must be specified if doc_as_upsert is enabled');
  }
  return problems;
}

/** Only internal versions may be left out; none may be negative. */
function isAllowed(version: number | undefined, type: VersionType): boolean {
  return version === undefined ? type === 'internal' : version >= 0;
}

function illegalVersion(version: number | undefined, type: VersionType): string {
  return `illegal version value [${version ?? NOT_GIVEN}] for version type [${type.toUpperCase()}]`;
}
