// What a snapshot is: one manifest, which names the chunk files that hold its documents.
//
// A manifest is JSON text and, as its last line, the SHA-256 of all bytes before that line. A chunk file is
// named by the SHA-256 of its bytes, so a manifest holds the checksum of every file that it needs.

import { createHash } from 'node:crypto';
import { EngineError } from '../errors';
import {
  isJsonObject,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  writeJson,
} from '../json/index';
import {
  indexToJson,
  readIndex,
  Reader,
  type ClusterState,
  type IndexMetadata,
} from '../metadata/index';
import type { SnapshotState } from '../api/index';

/** Version of the files of a repository; a manifest with another one is refused. */
const FORMAT = 1;
const SHA256_HEX = /^[0-9a-f]{64}$/;
const LAST_LINE = /\nsha256 ([0-9a-f]{64})\n$/;
const LAST_LINE_BYTES = '\nsha256 '.length + 64 + 1;

/** A file of documents. */
export interface ChunkFile {
  /** SHA-256 of the file in hex, and its name. */
  readonly file: string;
  readonly bytes: number;
  readonly documents: number;
}

/** One shard as of one sequence number of its document log. */
export interface ShardSnapshot {
  readonly sequence: number;
  readonly documents: number;
  /** Epoch milliseconds at which reading began, and how long it took. */
  readonly startedAt: number;
  readonly tookMs: number;
  /** In the order in which their documents were written. */
  readonly chunks: readonly ChunkFile[];
  /** Why the shard is not in the snapshot; null when it is. */
  readonly failure: string | null;
}

/** One index of a snapshot. */
export interface IndexSnapshot {
  readonly metadata: IndexMetadata;
  /** By shard number. */
  readonly shards: readonly ShardSnapshot[];
}

/** What of the cluster state belongs to no index. */
export type GlobalState = Pick<ClusterState, 'templates' | 'persistentSettings'>;

/** Everything that a snapshot consists of. */
export interface Manifest {
  readonly snapshot: string;
  readonly state: SnapshotState;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly indices: readonly IndexSnapshot[];
  /** Null when it was left out. */
  readonly global: GlobalState | null;
}

/** The files that a snapshot needs, each once. */
export function chunksOf(indices: readonly IndexSnapshot[]): ReadonlyMap<string, ChunkFile> {
  const files = new Map<string, ChunkFile>();
  for (const { shards } of indices) {
    for (const { chunks } of shards) for (const chunk of chunks) files.set(chunk.file, chunk);
  }
  return files;
}

/** The bytes of a manifest. */
export function encodeManifest(manifest: Manifest): Buffer {
  const { global } = manifest;
  const body: JsonOutput = {
    format: FORMAT,
    snapshot: manifest.snapshot,
    state: manifest.state,
    startedAt: manifest.startedAt,
    endedAt: manifest.endedAt,
    global:
      global === null
        ? null
        : { templates: global.templates, persistentSettings: global.persistentSettings },
    indices: manifest.indices.map(({ metadata, shards }) => ({
      metadata: indexToJson(metadata),
      shards: shards.map((shard) => ({
        ...shard,
        chunks: shard.chunks.map((chunk) => ({ ...chunk })),
      })),
    })),
  };
  const text = Buffer.from(writeJson(body));
  return Buffer.concat([text, Buffer.from(`\nsha256 ${sha256(text)}\n`)]);
}

/**
 * Reads a manifest.
 *
 * @param file its name, for errors
 * @throws EngineError CorruptIndexException when a byte of it is not as it was written, or its
 *   format is another
 */
export function decodeManifest(file: string, bytes: Buffer): Manifest {
  const end = bytes.length - LAST_LINE_BYTES;
  const body = bytes.subarray(0, Math.max(0, end));
  const sum = LAST_LINE.exec(bytes.subarray(Math.max(0, end)).toString('latin1'))?.[1];
  if (sum !== sha256(body)) throw damaged(`${file} is damaged: checksum mismatch`);
  const json = Reader.of(file, body);
  const format = json.integer('format');
  if (format > FORMAT) throw damaged(`${file} was written by a newer release`);
  if (format < FORMAT) throw damaged(`${file} has the unknown format ${format}`);
  const global = json.value.get('global');
  const state = json.text('state');
  if (state !== 'SUCCESS' && state !== 'PARTIAL' && state !== 'FAILED') throw json.damaged('state');
  return {
    snapshot: json.text('snapshot'),
    state,
    startedAt: json.integer('startedAt'),
    endedAt: json.integer('endedAt'),
    global: isJsonObject(global) ? decodeGlobal(json.at(global, 'global')) : null,
    indices: objects(json, 'indices').map((index) => ({
      metadata: readIndex(index.value.get('metadata')),
      shards: objects(index, 'shards').map(decodeShard),
    })),
  };
}

function decodeGlobal(json: Reader): GlobalState {
  return {
    templates: json.member('templates').objects(),
    persistentSettings: json.member('persistentSettings').texts(),
  };
}

function decodeShard(json: Reader): ShardSnapshot {
  return {
    sequence: json.integer('sequence'),
    documents: json.integer('documents'),
    startedAt: json.integer('startedAt'),
    tookMs: json.integer('tookMs'),
    failure: json.optionalText('failure'),
    chunks: objects(json, 'chunks').map((chunk) => {
      const file = chunk.text('file');
      if (!SHA256_HEX.test(file)) throw chunk.damaged('file');
      return { file, bytes: chunk.integer('bytes'), documents: chunk.integer('documents') };
    }),
  };
}

function objects(json: Reader, name: string): Reader[] {
  return json.array(name).map((value: JsonValue | JsonObject) => json.at(value, name));
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function damaged(message: string): EngineError {
  return new EngineError('CorruptIndexException', message);
}
