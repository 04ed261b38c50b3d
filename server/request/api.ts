// What a route handler gets and gives. Handlers know nothing of sockets: they take a request whose body has
// been read and return a value; one place renders it (render/respond.ts).

import type {
  AccessKey,
  CancelSignal,
  HistogramStats,
  JsonOutput,
  MemoryLease,
  RequestMemory,
  SearchEngine,
} from '../../engine/index';
import type { ServerSettings } from '../config/index';
import type { Params } from './params';
import type { RequestRecorder } from './request-recorder';
import type { RestOfBody } from './rest-of-body';

/** A request that has found its route. */
export interface ApiRequest {
  /** As sent, upper case. */
  readonly method: string;
  /** The raw request target: path and query string. */
  readonly uri: string;
  /** Path variables and query parameters in one map; path variables win. */
  readonly params: Params;
  /** The body after content decoding; empty when there is none. */
  readonly body: Buffer;
  /** What follows `body` where it is only the beginning, as in long bulk requests. */
  readonly rest?: RestOfBody | null;
  /** Makes a signal that is aborted when the client goes away before it is answered. */
  readonly signal?: () => CancelSignal;
  /** What the request holds of the node's budget. */
  readonly memory?: MemoryLease;
}

/** What handlers may use besides the request. */
export interface RouteContext {
  /** As the key of the request may use it. */
  readonly engine: SearchEngine;
  /** The key of the request; null: nobody is asked for one. */
  readonly key: AccessKey | null;
  readonly settings: ServerSettings;
  /** Where this node can be reached, as `host:port`. */
  readonly address: () => string;
  readonly now: () => number;
  /** Connections open now, and opened since the start. */
  readonly connections: () => ConnectionStats;
  /** How long requests took. */
  readonly requests: RequestRecorder;
  /** What requests under way hold in memory. */
  readonly memory: RequestMemory;
  /** How late the event loop is; undefined where that is not measured. */
  readonly loopDelay: (() => HistogramStats) | undefined;
}

/** Connections open now, and opened since the start. */
export interface ConnectionStats {
  readonly open: number;
  readonly opened: number;
}

/** Which members of an answer `case=camelCase` leaves alone: all, or those so many objects deep (from 1). */
export type KeptNames = 'all' | readonly number[];

/** The outcome of a handler. */
export type ApiResponse =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: JsonOutput;
      /** Laid out over several lines even without the parameter `pretty`. */
      readonly isPretty?: true;
      /** Holds stored documents, whose text is never laid out. */
      readonly holdsSources?: true;
      /** By default all names are rewritten but those that are known to be somebody's own. */
      readonly keptNames?: KeptNames;
    }
  /** JSON that is already bytes, in pieces, with stored documents in it. */
  | {
      readonly kind: 'chunks';
      readonly status: number;
      readonly chunks: readonly Buffer[];
      /** Says what has been done: want of memory is no reason not to. */
      readonly isOutcome?: true;
      readonly keptNames?: KeptNames;
    }
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly text: string;
      readonly type?: string;
    }
  | { readonly kind: 'empty'; readonly status: number };

/** Answers the requests of a route. */
export type Handler = (
  request: ApiRequest,
  context: RouteContext,
) => ApiResponse | Promise<ApiResponse>;

/** A JSON answer, 200 unless told otherwise. */
export function json(body: JsonOutput, status = 200): ApiResponse {
  return { kind: 'json', status, body };
}

/** A JSON answer of which `case=camelCase` leaves some names alone. */
export function jsonKeeping(keptNames: KeptNames, body: JsonOutput, status = 200): ApiResponse {
  return { kind: 'json', status, body, keptNames };
}

/** A JSON answer that holds stored documents. */
export function jsonWithSources(body: JsonOutput, status = 200): ApiResponse {
  return { kind: 'json', status, body, holdsSources: true };
}

/** A plain text answer. */
export function text(content: string, status = 200): ApiResponse {
  return { kind: 'text', status, text: content };
}

/** A status without a body, as HEAD requests are answered. */
export function empty(status: number): ApiResponse {
  return { kind: 'empty', status };
}
