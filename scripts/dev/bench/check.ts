// Before a row is measured: does every server answer it, and do they say the same?

import { isDeepStrictEqual } from 'node:util';
import { compareAnswers } from './agreement';
import type { Target } from './target';
import type { WorkloadInput, WorkloadKind } from './workload';
import { openWorkload } from './workloads';

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
      const other = await sourceOf(second, request.path.split('/')[1]!, id);
      if (!isDeepStrictEqual(other, source)) {
        return { kind: 'different', reason: `source of ${id}` };
      }
    }
  }
  return { kind: 'ok' };
}

/** The source of a document of any type; undefined when it is not there. */
async function sourceOf(target: Target, index: string, id: string): Promise<unknown> {
  const body = JSON.stringify({ query: { ids: { values: [id] } } });
  const answer = await target.send({ method: 'POST', path: `/${index}/_search`, body });
  const { hits } = JSON.parse(answer.body.toString()) as {
    hits: { hits: readonly { _source: unknown }[] };
  };
  return hits.hits[0]?._source;
}
