// Every failure a client can be told about.
//
// An error knows the exception name and HTTP status of the reference server; the server layer turns it
// into a response in one place (server/render/error-body.ts). Anything that is not an EngineError is a
// bug and becomes a 500.

/** The wire name and HTTP status of each error kind (reference server). */
export const ERROR_STATUS = {
  ActionRequestValidationException: 400,
  AggregationExecutionException: 500,
  AggregationInitializationException: 500,
  AliasesMissingException: 404,
  AlreadyExpiredException: 400,
  ArithmeticException: 500,
  AuthenticationException: 401,
  AuthorizationException: 403,
  ArrayIndexOutOfBoundsException: 500,
  BroadcastShardOperationFailedException: 500,
  CircuitBreakingException: 500,
  ClassNotFoundException: 500,
  ClassCastException: 500,
  ClientError: 400,
  ClusterBlockException: 403,
  ConcurrentSnapshotExecutionException: 503,
  ContentTooLargeException: 413,
  CorruptIndexException: 500,
  CreationException: 500,
  DocumentAlreadyExistsException: 409,
  DocumentMissingException: 404,
  DocumentSourceMissingException: 400,
  ElasticsearchException: 500,
  ElasticsearchIllegalArgumentException: 400,
  ElasticsearchIllegalStateException: 500,
  ElasticsearchParseException: 400,
  EsRejectedExecutionException: 429,
  ExpressionScriptCompilationException: 400,
  FacetPhaseExecutionException: 400,
  FetchPhaseExecutionException: 500,
  FileNotFoundException: 500,
  ForbiddenException: 403,
  GroovyScriptCompilationException: 400,
  GroovyScriptExecutionException: 400,
  IllegalArgumentException: 500,
  IllegalFieldValueException: 500,
  IllegalStateException: 500,
  IOException: 500,
  IndexAlreadyExistsException: 400,
  IndexClosedException: 403,
  IndexCreationException: 400,
  IndexMissingException: 404,
  IndexTemplateAlreadyExistsException: 400,
  IndexTemplateMissingException: 404,
  IndexWarmerMissingException: 404,
  IndexOutOfBoundsException: 500,
  InvalidAliasNameException: 400,
  InvalidIndexNameException: 400,
  InvalidIndexTemplateException: 400,
  InvalidShapeException: 400,
  InvalidSnapshotNameException: 400,
  InvalidTokenOffsetsException: 500,
  InvalidTypeNameException: 400,
  JsonParseException: 500,
  MapperException: 500,
  MapperParsingException: 400,
  MaxBytesLengthExceededException: 500,
  MergeMappingException: 400,
  MustacheException: 500,
  NegativeArraySizeException: 500,
  NoClassSettingsException: 500,
  NoShardAvailableActionException: 503,
  NoSuchElementException: 500,
  NodeClosedException: 503,
  NullPointerException: 500,
  NumberFormatException: 500,
  ParseException: 400,
  PatternSyntaxException: 400,
  QueryParsingException: 400,
  QueryPhaseExecutionException: 500,
  ReduceSearchPhaseException: 503,
  PercolateException: 500,
  PercolatorException: 500,
  RepositoryException: 500,
  RepositoryMissingException: 404,
  RepositoryVerificationException: 500,
  RoutingMissingException: 400,
  RuntimeException: 500,
  ScriptException: 400,
  ScriptParameterParseException: 500,
  SearchContextMissingException: 404,
  SearchParseException: 400,
  SearchPhaseExecutionException: 400,
  SettingsException: 500,
  SnapshotCreationException: 500,
  SnapshotException: 500,
  SnapshotMissingException: 404,
  SnapshotRestoreException: 500,
  StorageFailureException: 503,
  StrictDynamicMappingException: 400,
  StringIndexOutOfBoundsException: 500,
  TimestampParsingException: 500,
  TokenMgrError: 400,
  TooComplexToDeterminizeException: 500,
  TooManyClauses: 400,
  TypeMissingException: 404,
  UnavailableShardsException: 503,
  UncheckedExecutionException: 500,
  UnsupportedOperationException: 500,
  UnsupportedSpatialOperation: 500,
  VersionConflictEngineException: 409,
  WriteFailureException: 500,
} as const;

export type ErrorName = keyof typeof ERROR_STATUS;

/**
 * Options of an {@link EngineError}: the nested cause shown after `nested:`, and a status that differs from
 * the name's own.
 */
interface EngineErrorOptions {
  readonly cause?: unknown;
  readonly status?: number;
}

/**
 * A failure with the reference server's exception name and HTTP status.
 *
 * `message` is the text inside the brackets only; {@link toWireString} composes
 * `Name[message]; nested: Cause[message]; `.
 */
export class EngineError extends Error {
  readonly wireName: ErrorName;
  readonly status: number;

  constructor(wireName: ErrorName, message: string, options: EngineErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = wireName;
    this.wireName = wireName;
    this.status = options.status ?? ERROR_STATUS[wireName];
  }

  /** The `error` text of a response body: `Name[message]`, or a chain whose every link ends in `; `. */
  toWireString(): string {
    const own = ownText(this);
    if (this.cause === undefined) return own;
    return `${own}; ${nested(this.cause)}`;
  }
}

function ownText({ wireName, message }: EngineError): string {
  return message === '' ? wireName : `${wireName}[${message}]`;
}

function nested(cause: unknown): string {
  if (cause instanceof EngineError) {
    const own = `nested: ${ownText(cause)}; `;
    return cause.cause === undefined ? own : own + nested(cause.cause);
  }
  return `nested: ${cause instanceof Error ? `${cause.name}[${cause.message}]` : String(cause)}; `;
}

/** An element of a request that stops before it has said what it is about. */
export function incompleteSource(): EngineError {
  const message = 'End of query source reached but query is not complete.';
  return new EngineError('ElasticsearchParseException', message);
}

/** 400: an argument or body member that cannot be accepted. */
export function illegalArgument(message: string, cause?: unknown): EngineError {
  return new EngineError('ElasticsearchIllegalArgumentException', message, { cause });
}

/** 400: a name among the fields to be returned is that of an object. */
export class NoLeaf extends EngineError {
  constructor(name: string) {
    super('ElasticsearchIllegalArgumentException', `field [${name}] isn't a leaf field`);
  }
}

/** Problems that an error names; of the others it gives the number. */
const MAX_PROBLEMS = 1000;

/** 400 for one or more failed request validations, numbered and ended by `;` as the reference does. */
export function validationFailed(problems: string | readonly string[]): EngineError {
  const messages = typeof problems === 'string' ? [problems] : problems;
  const shown = messages.slice(0, MAX_PROBLEMS);
  const more = messages.length - shown.length;
  const text =
    shown.map((message, i) => `${i + 1}: ${message};`).join('') +
    (more > 0 ? `and ${more} more;` : '');
  return new EngineError('ActionRequestValidationException', `Validation Failed: ${text}`);
}

/** 404 for an index name, list or pattern that resolves to nothing. */
export function indexMissing(name: string): EngineError {
  return new EngineError('IndexMissingException', `[${name}] missing`);
}

/** 503 for an index while storage is being reopened: whoever asks again finds out how things stand. */
export function indexUnavailable(name: string): EngineError {
  return new EngineError('StorageFailureException', `[${name}] is not available at the moment`);
}
