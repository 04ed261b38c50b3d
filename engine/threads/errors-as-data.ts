// Errors on their way between threads: structured clone would leave a bare Error of them.

import {
  ClosedError,
  CorruptionError,
  DiskFullError,
  InputOutputError,
  SegmentDamageError,
  StorageError,
  StorageFailure,
} from '../../storage/index';
import { EngineError, type ErrorName } from '../errors';
import { SegmentFormatError } from '../segment/index';

/** An error as plain data. */
export interface ErrorData {
  readonly kind: 'engine' | 'storage' | 'other';
  /** Wire name, storage code or class name. */
  readonly name: string;
  readonly message: string;
  readonly status: number;
  /** The damaged segment, if there is one. */
  readonly segment?: number;
  readonly stack: string | undefined;
  /** Null: none. */
  readonly cause: ErrorData | null;
}

type StorageErrorClass = new (message: string, cause?: unknown) => StorageError;

const STORAGE_ERRORS: readonly StorageErrorClass[] = [
  CorruptionError,
  SegmentDamageError,
  DiskFullError,
  InputOutputError,
  ClosedError,
  StorageFailure,
];

const BY_CODE: ReadonlyMap<string, StorageErrorClass> = new Map(
  STORAGE_ERRORS.map((type) => [new type('').code, type]),
);

/** What is not an Error becomes one with its text. */
export function errorToData(error: unknown): ErrorData {
  if (!(error instanceof Error)) {
    const message = String(error);
    return { kind: 'other', name: 'Error', message, status: 0, stack: undefined, cause: null };
  }
  const cause = error.cause === undefined ? null : errorToData(error.cause);
  const common = { message: error.message, stack: error.stack, status: 0, cause };
  if (error instanceof EngineError) {
    return { ...common, kind: 'engine', name: error.wireName, status: error.status };
  }
  const damaged = { ...common, kind: 'storage' as const, name: new SegmentDamageError('').code };
  if (error instanceof SegmentFormatError) return { ...damaged, segment: error.segmentId };
  if (error instanceof SegmentDamageError) {
    return error.segment === null ? damaged : { ...damaged, segment: error.segment };
  }
  if (error instanceof StorageError) return { ...common, kind: 'storage', name: error.code };
  return { ...common, kind: 'other', name: error.name };
}

/** The error again, of its class where others tell it by that. */
export function errorFromData(data: ErrorData): Error {
  const cause = data.cause === null ? undefined : errorFromData(data.cause);
  const error = create(data, cause);
  if (data.stack !== undefined) error.stack = data.stack;
  return error;
}

function create(
  { kind, name, message, status, segment }: ErrorData,
  cause: Error | undefined,
): Error {
  if (kind === 'engine') return new EngineError(name as ErrorName, message, { cause, status });
  if (kind === 'storage' && segment !== undefined) {
    return new SegmentDamageError(message, cause, segment);
  }
  if (kind === 'storage') {
    const type = BY_CODE.get(name);
    return type === undefined ? new StorageError(name, message, cause) : new type(message, cause);
  }
  const error = new Error(message, cause === undefined ? undefined : { cause });
  error.name = name;
  return error;
}
