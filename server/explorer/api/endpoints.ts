// The requests that views make, with what they take from the answers.

import { fieldsOf, typesOf, type Field, type Mappings } from '../model/fields';
import { isObject, ownObject, type JsonObject } from '../model/own';
import { TYPE_FIELD } from '../model/proposals';
import type { DocumentAddress } from '../model/search-state';
import { readSurvey, surveyRequest, type Survey } from '../model/survey';
import type { RequestText } from '../model/requests';
import { segment, type Client } from './client';

function object(answer: unknown): JsonObject {
  return isObject(answer) ? answer : {};
}

/** A line of `_cat/indices`. */
export interface IndexRow {
  readonly name: string;
  readonly isOpen: boolean;
  readonly health: string;
  readonly shards: number;
  readonly documents: number;
  readonly deleted: number;
  readonly bytes: number;
}

/** All indices, closed ones included. */
export async function listIndices(client: Client, signal?: AbortSignal): Promise<IndexRow[]> {
  const columns = 'status,index,health,pri,docs.count,docs.deleted,pri.store.size';
  const path = `/_cat/indices?bytes=b&h=${columns}`;
  const table = await client.text({ method: 'GET', path, body: null }, signal);
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((cells) => cells.length > 1)
    .map(([status = '', name = '', ...cells]) => {
      const isOpen = status === 'open';
      const [shards = 0, documents = 0, deleted = 0, bytes = 0] = (
        isOpen ? cells.slice(1) : []
      ).map(Number);
      return {
        name,
        isOpen,
        health: isOpen ? (cells[0] ?? '') : '',
        shards,
        documents,
        deleted,
        bytes,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Aliases by index, as `_aliases` answers them. */
export async function listAliases(client: Client, signal?: AbortSignal): Promise<JsonObject> {
  return object(await client.get('/_aliases', signal));
}

/** What is known of something that can be searched. */
export interface Target {
  readonly name: string;
  /** The indices behind it. */
  readonly indices: readonly string[];
  readonly types: readonly string[];
  readonly fields: readonly Field[];
  readonly survey: Survey;
}

/** The path of a target; all indices where it has no name. */
export function targetPath(name: string): string {
  return `/${name === '' ? '_all' : segment(name)}`;
}

/** Finds the fields behind a name and looks at their values. */
export async function loadTarget(
  client: Client,
  name: string,
  signal?: AbortSignal,
): Promise<Target> {
  const path = targetPath(name);
  const mappings = object(await client.get(`${path}/_mapping`, signal)) as Mappings;
  const types = typesOf(mappings);
  const fields = [...(types.length > 1 ? [TYPE_FIELD] : []), ...fieldsOf(mappings)];
  const answer = await client.post(`${path}/_search`, surveyRequest(fields), signal);
  const survey = readSurvey(fields, object(answer));
  return { name, indices: Object.keys(mappings).sort(), types, fields, survey };
}

/** A hit. */
export interface Hit extends DocumentAddress {
  readonly score: number | null;
  readonly source: JsonObject;
  /** Fragments with marks, by field. */
  readonly marks: ReadonlyMap<string, readonly string[]>;
}

/** The answer to a search. */
export interface SearchAnswer {
  readonly took: number;
  readonly total: number;
  readonly hits: readonly Hit[];
  readonly facets: JsonObject;
  /** Why some shards have not answered. */
  readonly failures: readonly string[];
  readonly timedOut: boolean;
}

/** Runs a search. */
export async function runSearch(
  client: Client,
  target: string,
  body: JsonObject,
  signal?: AbortSignal,
): Promise<SearchAnswer> {
  const answer = object(await client.post(`${targetPath(target)}/_search`, body, signal));
  const { total, hits } = ownObject(answer, 'hits');
  const { failures } = ownObject(answer, '_shards');
  return {
    took: Number(answer['took']),
    timedOut: answer['timed_out'] === true,
    total: Number(total ?? 0),
    hits: (Array.isArray(hits) ? hits : []).filter(isObject).map(readHit),
    facets: ownObject(answer, 'facets'),
    failures: (Array.isArray(failures) ? failures : []).map((one) => String(object(one)['reason'])),
  };
}

function readHit(hit: JsonObject): Hit {
  const marks = Object.entries(ownObject(hit, 'highlight')).map(
    ([field, texts]) => [field, Array.isArray(texts) ? texts.map(String) : []] as const,
  );
  return {
    index: String(hit['_index']),
    type: String(hit['_type']),
    id: String(hit['_id']),
    score: typeof hit['_score'] === 'number' ? hit['_score'] : null,
    source: ownObject(hit, '_source'),
    marks: new Map(marks),
  };
}

/** Finds one document through the name that is searched, so that it shows what that name may show. */
export function documentRequest(target: string, { index, type, id }: DocumentAddress): RequestText {
  const only = { indices: [index], filter: { match_all: {} }, no_match_filter: 'none' };
  const body = {
    query: { filtered: { query: { ids: { type, values: [id] } }, filter: { indices: only } } },
    version: true,
    size: 1,
  };
  const path = `${targetPath(target)}/_search?filter_path=hits.hits`;
  return { method: 'POST', path, body: JSON.stringify(body) };
}

/** The text of the one hit of such an answer, every literal as the server wrote it; null: there is none. */
export function onlyHit(answer: string): string | null {
  const from = answer.indexOf('[');
  const hit = answer.slice(from + 1, answer.lastIndexOf(']')).trim();
  return from < 0 || hit === '' ? null : hit;
}

/** Points an alias elsewhere, or tells what that would change. */
export async function sendAliasActions(
  client: Client,
  actions: unknown,
  isDryRun: boolean,
): Promise<JsonObject> {
  return object(await client.post(`/_aliases${isDryRun ? '?dry_run=true' : ''}`, actions));
}

/** How many documents a name shows. */
export async function countDocuments(
  client: Client,
  target: string,
  query: JsonObject | undefined,
): Promise<number> {
  const body = { query: query ?? { match_all: {} } };
  return Number(object(await client.post(`${targetPath(target)}/_count`, body))['count']);
}

/** A token of an analysis. */
export interface Token {
  readonly token: string;
  readonly type: string;
  readonly position: number;
  readonly from: number;
  readonly to: number;
}

/** Analyzes a text. @param params which components do it */
export async function analyze(
  client: Client,
  index: string,
  params: Readonly<Record<string, string>>,
  text: string,
  signal?: AbortSignal,
): Promise<Token[]> {
  const query = new URLSearchParams(params).toString();
  const path = `/${segment(index)}/_analyze?${query}`;
  const answer = await client.text({ method: 'POST', path, body: text }, signal);
  const { tokens } = object(JSON.parse(answer));
  return (Array.isArray(tokens) ? tokens : []).filter(isObject).map((token) => ({
    token: String(token['token']),
    type: String(token['type']),
    position: Number(token['position']),
    from: Number(token['start_offset']),
    to: Number(token['end_offset']),
  }));
}
