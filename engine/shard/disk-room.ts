// What those who write may ask about the disk.

/** What those who write may ask about the disk. */
export interface DiskRoom {
  /** There is too little space for more data, and for what can wait. */
  readonly isLow: boolean;
  /** There is too little space even for building what is acknowledged. */
  readonly isCritical: boolean;
  /** Bytes that may be written before the disk is low. */
  readonly room: number;
  /** @throws EngineError ClusterBlockException (503) while it is low */
  assertSpace(): void;
  /** @throws EngineError ClusterBlockException (503) while it is critical */
  assertNotCritical(): void;
}
