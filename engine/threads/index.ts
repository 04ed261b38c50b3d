// Worker threads in general: requests, answers, replacement. What they compute is defined in other
// rooms.

export { type ErrorData, errorFromData, errorToData } from './errors-as-data';
export { ManagedThread, ThreadDiedError } from './managed-thread';
export type { ForgetNotice } from './protocol';
export { serveMain, tellMain, threadOptions, type ThreadRequest, Transferred } from './thread-side';
export { workerEntry } from './worker-entry';
