// A thread that takes requests, of the last build, and ends when it is told to.

const { parentPort } = require('node:worker_threads');

require('../../dist/server/http-thread.js');

parentPort.on('message', ({ kind }) => {
  if (kind === 'die') process.exit(7);
});
