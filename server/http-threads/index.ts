// Threads that take requests: each has a listener of its own on one port that they share, answers reads
// itself and hands everything else over to main.

export { canSharePort, HttpThreads } from './http-threads';
export {
  slowLoggerOf,
  startProgram,
  type SharedCounts,
  type ThreadProgramData,
} from './thread-program';
