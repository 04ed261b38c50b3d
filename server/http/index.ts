// From a connection to a route handler and back.

export { createFrontDoor } from './app';
export { HttpServer } from './http-server';
export { ListenError } from './listen-error';
export { checkServedFolders } from './static-folder';
