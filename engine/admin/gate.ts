// Who is let in: what requests pass before they touch storage, and on their way back.

/**
 * Runs the work of a request, or refuses it with an EngineError: when the node is closed, and what the state of
 * storage forbids. Failures of storage come out as EngineErrors, too.
 */
export interface Gate {
  /** For what only reads: served while writes are refused. */
  read<T>(work: () => Promise<T>): Promise<T>;
  write<T>(work: () => Promise<T>): Promise<T>;
  /** For writes that need space for long: refused before the disk is full. */
  grow<T>(work: () => Promise<T>): Promise<T>;
}
