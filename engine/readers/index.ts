// Threads besides main that read: what main publishes to them, what they know, and how they search.

export { type Publication, PublicationReader, type ReaderPort } from './messages';
export { PublishedIndices } from './published-indices';
export { Publisher } from './publisher';
export { ReaderExecutor } from './reader-executor';
export { ReaderGate } from './reader-gate';
export { openReaderSession, type ReaderSession } from './reader-session';
