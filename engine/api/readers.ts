// Threads besides main that read: started by whoever takes requests on them.

/** How threads that read are started. */
export interface ReaderThreadsOptions {
  /** At least 1. */
  readonly threads: number;
  /** Path of the compiled program of a thread; it calls `runReaderThread`. */
  readonly entry: string;
  /** Plain data for the program of each thread, by its place. */
  readonly data: (thread: number) => object;
  /** Is called each time that a thread, or one that replaces it, can be read from. */
  readonly onReady: (thread: number) => void;
  /** Is called with what the program of a thread tells. */
  readonly onEvent: (thread: number, event: string, value: unknown) => void;
}

/** Threads that read, as whoever started them sees them. */
export interface ReaderThreads {
  /** Asks the program of a thread. @throws what it throws; EngineError (503) when the thread died */
  request<T>(thread: number, kind: string, payload: unknown): Promise<T>;
  /** Ends all threads; no request may be under way. */
  close(): Promise<void>;
}

/** Starts threads that read. */
export interface Readers {
  start(options: ReaderThreadsOptions): ReaderThreads;
}
