// Whether the target has what the source has: documents by counts and checksums over ids and versions, values
// by facets, and everything else by what both say about it. What differs is copied once more.

import { isJsonObject, writeJson, type JsonValue } from '../../engine/json/index';
import {
  compare,
  type Comparison,
  type Difference,
  type DifferenceKind,
  type Side,
} from './compare';
import { timeFields, type IndexDefinition } from './definition';
import type { Connection } from './connection';
import type { DocumentState } from './document';
import { compareFacets } from './facets';
import type { Fingerprint } from './fingerprint';
import { isSameJson } from './json-values';
import {
  allSlices,
  countSlices,
  describeIndex,
  type OldServer,
  type SourceSlice,
} from './old-server';
import { fetchByIds, listing, scan, type TimeFields } from './scan';
import { newTally, type Refusal } from './state';
import { nameOf, type Target } from './target';

/** Ids of a request for single documents. */
const IDS_AT_ONCE = 50;
/** Rounds of copying what differs; more when it is too much for one of them, as long as that helps. */
const MAX_ROUNDS = 3;
/** Documents that a report names for each kind of difference. */
const MAX_EXAMPLES = 20;
/** Places that a report names in which a mapping is told differently. */
const MAX_PLACES = 10;

/** How much is compared; each level has those before it. */
export const VERIFY_LEVELS = ['none', 'counts', 'checksums', 'facets'] as const;
export type VerifyLevel = (typeof VERIFY_LEVELS)[number];

/** How to verify. */
export interface VerifyOptions {
  readonly level: VerifyLevel;
  /** Delete from the target what the source does not have. */
  readonly isMirror: boolean;
  /** The index was there before: more documents than in the source are no difference. */
  readonly isMerged: boolean;
}

/** Documents of an index on one side. */
export interface SideVerdict {
  readonly documents: number;
  /** Over ids, versions, routing, parents and times; null when only counted. */
  readonly checksum: string | null;
}

/** What was found out about an index. */
export interface IndexVerdict {
  readonly source: SideVerdict;
  readonly target: SideVerdict;
  /** Keyword fields that were compared. */
  readonly fields: number;
  /** Documents that were copied again, or deleted, since they differed. */
  readonly mended: number;
  /** What differs, for people. */
  readonly differences: readonly string[];
  /** What is told differently, or could not be compared, and is no loss. */
  readonly notes: readonly string[];
}

/** Both servers and an index of them. */
export interface Verified {
  readonly source: OldServer;
  readonly target: Target;
  readonly definition: IndexDefinition;
  readonly slices: readonly SourceSlice[];
}

/** Verifies an index, and copies what differs. @throws BrokenScanError; HttpError, UnreachableError */
export async function verifyIndex(what: Verified, options: VerifyOptions): Promise<IndexVerdict> {
  const documents = await verifyDocuments(what, options);
  const metadata = await verifyMetadata(what);
  const facets =
    options.level === 'facets' && documents.differences.length === 0
      ? await compareFacets(what.source.connection, what.target.connection, what.definition)
      : { compared: 0, differences: [], skipped: [] };
  return {
    ...documents,
    fields: facets.compared,
    differences: [...documents.differences, ...metadata.differences, ...facets.differences],
    notes: [...documents.notes, ...metadata.notes, ...facets.skipped],
  };
}

type DocumentVerdict = Omit<IndexVerdict, 'fields'>;

async function verifyDocuments(what: Verified, options: VerifyOptions): Promise<DocumentVerdict> {
  const { source, target, definition, slices } = what;
  const { name } = definition;
  if (options.level === 'counts') return verifyCounts(what, options);
  const times = timeFields(definition, source.hasExactTimes);
  const left = serverSide(source.connection, slices, times);
  const right = await targetSide(target.connection, name);
  let comparison = await compare(left, right);
  let mended = 0;
  let refusals: readonly Refusal[] = [];
  for (let round = 0; round < MAX_ROUNDS || comparison.hasMore; round++) {
    const again = comparison.differences.filter(
      ({ kind }) => kind === 'missing' || kind === 'older' || kind === 'other',
    );
    const extra = comparison.differences.filter(({ kind }) => kind === 'extra');
    if (again.length === 0 && (extra.length === 0 || !options.isMirror)) break;
    const outcome = await copyAgain(what, again);
    const deleted = options.isMirror
      ? await target.remove(extra.map(({ document }) => document))
      : 0;
    ({ refusals } = outcome);
    mended += outcome.written + deleted;
    // Deleted or expired in the source meanwhile, or refused again: another look says so.
    await source.refresh([name]);
    await target.refresh([name]);
    comparison = await compare(left, right);
    if (outcome.written + deleted === 0) break;
  }
  const found = describeDifferences(comparison, refusals);
  const isMoreFine = options.isMerged && !options.isMirror;
  return {
    source: sideOf(comparison.source),
    target: sideOf(comparison.target),
    mended,
    differences: isMoreFine ? found.losses : [...found.losses, ...found.extra],
    notes: isMoreFine ? found.extra : [],
  };
}

async function verifyCounts(what: Verified, { isMerged }: VerifyOptions): Promise<DocumentVerdict> {
  const { source, target, definition, slices } = what;
  const [wanted, found] = await Promise.all([
    countSlices(source.connection, slices),
    countSlices(
      target.connection,
      await allSlices(target.connection, await describeIndex(target.connection, definition.name)),
    ),
  ]);
  const isFine = isMerged ? found >= wanted : found === wanted;
  return {
    source: { documents: wanted, checksum: null },
    target: { documents: found, checksum: null },
    mended: 0,
    differences: isFine ? [] : [`${wanted} documents in the source and ${found} in the target`],
    notes: [],
  };
}

/** What a fingerprint says of a side. */
export function sideOf(sum: Fingerprint): SideVerdict {
  return { documents: sum.count, checksum: sum.checksum() };
}

/** What slices of a server hold, without contents. */
export function serverSide(
  connection: Connection,
  slices: readonly SourceSlice[],
  times: TimeFields,
): Side {
  const parts = slices.map(
    (slice) =>
      async function* (): AsyncGenerator<readonly DocumentState[] | 'anew'> {
        const { target: to } = slice;
        for await (const documents of scan(connection, slice, listing(times))) {
          yield to === undefined || documents === 'anew'
            ? documents
            : documents.map((document) => ({ ...document, ...to }));
        }
      },
  );
  return { parts, compared: { times: times.isExact, versions: true } };
}

/** What an index of the target holds, without contents. */
export async function targetSide(connection: Connection, index: string): Promise<Side> {
  const definition = await describeIndex(connection, index);
  const slices = await allSlices(connection, definition);
  return serverSide(connection, slices, timeFields(definition, true));
}

/** Copies documents once more that differ. */
async function copyAgain(
  { source, target, definition, slices }: Verified,
  differences: readonly Difference[],
): Promise<ReturnType<typeof newTally> & { refusals: Refusal[] }> {
  const outcome = { ...newTally(), refusals: [] as Refusal[] };
  const times = timeFields(definition, source.hasExactTimes);
  const byType = new Map<string, string[]>();
  for (const { document } of differences) {
    const { type, id } = document;
    const ids = byType.get(type);
    if (ids === undefined) byType.set(type, [id!]);
    else ids.push(id!);
  }
  for (const [type, ids] of byType) {
    // Where the source keeps documents that have this type in the target.
    const moved = slices.find(({ target: to }) => to?.type === type);
    const from = { index: moved?.index ?? definition.name, type: moved?.type ?? type };
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const documents = await fetchByIds(
        source.connection,
        from,
        ids.slice(at, at + IDS_AT_ONCE),
        times,
      );
      await target.write(
        documents.map((document) => ({ ...document, ...(moved?.target ?? {}) })),
        outcome,
        false,
      );
    }
  }
  return outcome;
}

const KIND_TEXT: Readonly<Record<DifferenceKind, string>> = {
  missing: 'are missing in the target',
  older: 'have an earlier version in the target',
  newer: 'have a later version in the target: they were written there',
  other: 'have another parent, timestamp or time to live in the target',
  extra: 'are in the target only: deleted in the source, or written to the target',
};

/** Differences for people: what the target lacks, and what only it has. */
export function describeDifferences(
  { differences, hasMore }: Comparison,
  refusals: readonly Refusal[],
): { readonly losses: readonly string[]; readonly extra: readonly string[] } {
  const of = (kind: DifferenceKind): readonly string[] => {
    const names = differences
      .filter((difference) => difference.kind === kind)
      .map(({ document }) => nameOf(document));
    if (names.length === 0) return [];
    const more = names.length > MAX_EXAMPLES ? ', …' : '';
    return [
      `${names.length} ${KIND_TEXT[kind]}: ${names.slice(0, MAX_EXAMPLES).join(', ')}${more}`,
    ];
  };
  const reasons = refusals.map(
    ({ reason, count, examples }) => `${count} refused, such as ${examples[0]}: ${reason}`,
  );
  const losses = (['missing', 'older', 'newer', 'other'] as const).flatMap(of);
  return {
    losses: [...losses, ...reasons, ...(hasMore ? ['there are more differences than listed'] : [])],
    extra: of('extra'),
  };
}

async function verifyMetadata({
  source,
  target,
  definition,
}: Verified): Promise<{ readonly differences: string[]; readonly notes: string[] }> {
  const { name } = definition;
  const wanted = await source.describe(name);
  const found = await describeIndex(target.connection, name);
  const differences: string[] = [];
  const notes: string[] = [];
  for (const [what, left, right] of [
    ['alias', wanted.aliases, found.aliases],
    ['warmer', wanted.warmers, found.warmers],
  ] as const) {
    for (const [one, body] of left) {
      const other = right.get(one);
      if (other === undefined) differences.push(`${what} [${one}] is missing in the target`);
      else if (!isSameJson(body, other)) {
        const [text, otherText] = [writeJson(body), writeJson(other)];
        differences.push(
          `${what} [${one}] is ${text} in the source and ${otherText} in the target`,
        );
      }
    }
  }
  for (const [type, mapping] of wanted.mappings) {
    const other = found.mappings.get(type);
    if (other === undefined) differences.push(`type [${type}] is missing in the target`);
    else notes.push(...placesOf(mapping, other, `mapping of [${type}]`).slice(0, MAX_PLACES));
  }
  return { differences, notes };
}

/** Where two values differ. */
function placesOf(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  path: string,
): readonly string[] {
  if (isJsonObject(left) && isJsonObject(right)) {
    const names = new Set([...left.keys(), ...right.keys()]);
    return [...names].flatMap((name) =>
      placesOf(left.get(name), right.get(name), `${path}.${name}`),
    );
  }
  if (left !== undefined && right !== undefined && isSameJson(left, right)) return [];
  return [`${path} is ${shown(left)} in the source and ${shown(right)} in the target`];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'not there' : writeJson(value).slice(0, 200);
}
