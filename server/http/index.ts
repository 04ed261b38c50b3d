// From a connection to a route handler and back.

export { createFrontDoor } from './app';
export { HttpServer } from './http-server';
export { ListenError, listenError } from './listen-error';
export { refuse, stopping } from './refuse';
export type { RequestListener } from './listener';
export { checkServedFolders } from './static-folder';
