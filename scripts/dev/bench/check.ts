// Before a row is measured: does every server answer it, and do they say the same?

import { isDeepStrictEqual } from 'node:util';
import { compareAnswers } from './agreement';
import { TYPE } from './corpus';
import type { Target } from './target';
import { openWorkload, type WorkloadInput, type WorkloadKind } from './workloads';

/** Requests of a row whose answers are compared. */
const CHECKED = 12;

/** What came of it: fine, refused by a server, or answered differently. */
type CheckResult =
  | { readonly kind: 'ok' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'different'; readonly reason: string };

/** Sends a few requests of a row to all targets, of which there may be one or two. */
export async function checkRow(
  kind: WorkloadKind,
  input: WorkloadInput,
  targets: readonly Target[],
): Promise<CheckResult> {
  const { next } = openWorkload(kind, input, -1);
  for (let sent = 0; sent < CHECKED; sent++) {
    const request = next();
    const answers: unknown[] = [];
    for (const target of targets) {
      const { status, body } = await target.send(request);
      if (status >= 400) {
        const text = body.toString('utf8', 0, 200);
        return { kind: 'refused', reason: `${target.label}: ${status} ${text}` };
      }
      answers.push(JSON.parse(body.toString()));
    }
    const [, second] = targets;
    if (second === undefined) continue;
    const { difference, loose } = compareAnswers(answers[0], answers[1]);
    if (difference !== null) {
      return { kind: 'different', reason: `${difference}, asked for ${request.body}` };
    }
    for (const { id, source } of loose) {
      const { documents } = input.indices;
      const path = `/${documents}/${TYPE}/${encodeURIComponent(id)}/_source`;
      const { body } = await second.send({ method: 'GET', path, body: '' });
      if (!isDeepStrictEqual(JSON.parse(body.toString()), source)) {
        return { kind: 'different', reason: `source of ${id}` };
      }
    }
  }
  return { kind: 'ok' };
}
