// Completions of package names, in an index of their own: a name may be completed by each of its words.

import { readCorpus, TYPE } from './corpus';
import { sendOrThrow } from './load';
import { hashText, type Random } from './random';
import type { Target } from './target';
import type { Vocabulary } from './vocabulary';
import type { BenchRequest } from './workload';

const FIELD = 'complete';
const BATCH = 5000;
/** So many that next to none tie: the order of answers is settled. */
const WEIGHTS = 2 ** 30;

/** Makes an index anew with the same completions each time. @throws Error when the server refuses */
export async function storeCompletions(target: Target, index: string, file: string): Promise<void> {
  await sendOrThrow(target, 'DELETE', `/${index}?ignore_unavailable=true`, '', [404]);
  const mapping = { properties: { [FIELD]: { type: 'completion', payloads: true } } };
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const body = JSON.stringify({ settings, mappings: { [TYPE]: mapping } });
  await sendOrThrow(target, 'PUT', `/${index}`, body);
  let lines: string[] = [];
  const send = async (): Promise<void> => {
    await sendOrThrow(target, 'POST', `/${index}/${TYPE}/_bulk`, lines.join(''));
    lines = [];
  };
  for await (const { id } of readCorpus(file)) {
    const words = id.split('-');
    const input = words.map((_, at) => words.slice(at).join('-'));
    const entry = { input, output: id, weight: hashText(id) % WEIGHTS, payload: { id } };
    lines.push(`{"index":{"_id":${JSON.stringify(id)}}}\n${JSON.stringify({ [FIELD]: entry })}\n`);
    if (lines.length === BATCH) await send();
  }
  if (lines.length > 0) await send();
  await sendOrThrow(target, 'POST', `/${index}/_refresh`, '');
}

/** The best ten completions of what has been typed so far: two to five letters, some of them mistyped. */
export function completionRequest(
  index: string,
  { ids }: Vocabulary,
  random: Random,
  isFuzzy: boolean,
): BenchRequest {
  const name = random.pick(ids);
  const text = name.slice(0, isFuzzy ? 5 : 2 + random.below(4));
  const completion = { field: FIELD, size: 10, ...(isFuzzy ? { fuzzy: { fuzziness: 1 } } : {}) };
  const body = JSON.stringify({ names: { text, completion } });
  return { method: 'POST', path: `/${index}/_suggest`, body };
}
