// Requests to OpenSearch: the official client's connections, retries and dead nodes, with JSON of our own in
// both directions, so that 64-bit numbers and the spelling of sources survive.

import { readFileSync } from 'node:fs';
import type { ApiResponse, Client, errors } from '@opensearch-project/opensearch';
import type { BackendStats } from '../../api/index';
import { type EngineLogger } from '../../common/index';
import { EngineError } from '../../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonOutput,
  parseJson,
  writeJson,
} from '../../json/index';

/** Depth of answers at most. */
const DEPTH = 10_000;

/** How OpenSearch is reached. */
export interface OpenSearchSettings {
  /** URLs of nodes; any of them serves. */
  readonly hosts: readonly string[];
  /** Both or neither. */
  readonly username: string | null;
  readonly password: string | null;
  /** File with certificates of authorities, PEM; null: those of the system. */
  readonly certificateAuthority: string | null;
  /** Milliseconds after which a request is given up, or tried at another node. */
  readonly timeoutMs: number;
  /** How often a request is tried again, elsewhere. */
  readonly retries: number;
}

/** What a request has besides its path. */
export interface RequestParts {
  readonly query?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: object;
  /** Lines of JSON, each with its end of line, instead of a body. */
  readonly lines?: string;
  /** Milliseconds, instead of those of the settings. */
  readonly timeoutMs?: number;
}

/** An answer, of whatever status. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  /** Type of the error; null: there is none, or it is not told. */
  readonly error: string | null;
}

/** Sends requests to a cluster. */
export interface OpenSearchClient {
  /** What was asked and how it went. */
  readonly counts: BackendStats;
  /**
   * @param path begins with a slash; parts of users are encoded in it
   * @throws EngineError 503 when no node can be reached in time
   */
  request(method: string, path: string, parts?: RequestParts): Promise<Answer>;
  close(): Promise<void>;
}

const MEMBERLESS: JsonObject = new Map();

/** @throws Error when the certificates cannot be read */
export async function createClient(
  settings: OpenSearchSettings,
  logger: EngineLogger,
): Promise<OpenSearchClient> {
  // Loading it takes a tenth of a second, which nobody else has to wait for.
  const library = await import('@opensearch-project/opensearch');
  /** Leaves texts as they are. */
  class TextSerializer extends library.Serializer {
    override deserialize(json: string): string {
      return json;
    }
  }
  const { hosts, username, password, certificateAuthority, timeoutMs, retries } = settings;
  const client = new library.Client({
    nodes: [...hosts],
    maxRetries: retries,
    requestTimeout: timeoutMs,
    sniffOnStart: false,
    sniffOnConnectionFault: false,
    Serializer: TextSerializer,
    ...(username === null || password === null ? {} : { auth: { username, password } }),
    ...(certificateAuthority === null ? {} : { ssl: { ca: readFileSync(certificateAuthority) } }),
  });
  return new TransportClient(client, library.errors.ResponseError, timeoutMs, logger);
}

class TransportClient implements OpenSearchClient {
  readonly counts = { requests: 0, failures: 0, retries: 0, milliseconds: 0 };

  constructor(
    private readonly client: Client,
    private readonly refusal: typeof errors.ResponseError,
    private readonly timeoutMs: number,
    private readonly logger: EngineLogger,
  ) {}

  async request(method: string, path: string, parts: RequestParts = {}): Promise<Answer> {
    const { counts } = this;
    const began = performance.now();
    counts.requests++;
    const { query = {}, body, lines, timeoutMs = this.timeoutMs } = parts;
    try {
      const answer = await this.client.transport.request(
        {
          method,
          path,
          querystring: query,
          ...(body === undefined ? {} : { body: writeJson(body as JsonOutput) }),
          ...(lines === undefined ? {} : { bulkBody: lines }),
        },
        { ignore: IGNORED, requestTimeout: timeoutMs },
      );
      counts.retries += answer.meta.attempts;
      return answerOf(answer.statusCode ?? 0, answer.body);
    } catch (error) {
      counts.failures++;
      counts.retries += attemptsOf(error);
      if (error instanceof this.refusal) {
        return answerOf(error.statusCode ?? 500, error.body);
      }
      this.logger.warn({ err: error, method, path }, 'OpenSearch does not answer');
      throw unreachable(error);
    } finally {
      counts.milliseconds += performance.now() - began;
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** How often a request was sent again that failed at last. */
function attemptsOf(error: unknown): number {
  const { meta } = error as { readonly meta?: Partial<ApiResponse> };
  return meta?.meta?.attempts ?? 0;
}

/** Statuses that are answers. Those of nodes that cannot serve now are tried again elsewhere. */
const IGNORED = [400, 403, 404, 405, 409, 413, 429, 500];

function answerOf(status: number, text: unknown): Answer {
  const body = typeof text === 'string' && text !== '' ? parsed(text) : MEMBERLESS;
  const error = body.get('error');
  const type = isJsonObject(error) ? error.get('type') : undefined;
  return { status, body, error: typeof type === 'string' ? type : null };
}

function parsed(text: string): JsonObject {
  const value = parseJson(text, DEPTH);
  return isJsonObject(value) ? value : MEMBERLESS;
}

function unreachable(cause: unknown): EngineError {
  const text = cause instanceof Error ? cause.message : String(cause);
  return new EngineError(
    'NoShardAvailableActionException',
    `OpenSearch cannot be reached: ${text}`,
    {
      status: 503,
    },
  );
}
