// A worker thread that misbehaves on request, over the frame of real ones (of the last build).

const { serveMain } = require('../../dist/engine/threads/thread-side');

serveMain({
  serve: async (kind, payload, request) => {
    switch (kind) {
      case 'echo':
        return payload;
      case 'exit':
        return process.exit(3);
      case 'throw-outside':
        setImmediate(() => {
          throw new Error('outside of any job');
        });
        return new Promise(() => {});
      case 'hang':
        for (;;);
      case 'wait-for-cancel':
        while (!request.isCancelled()) await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('cancelled');
      case 'slow-echo':
        await new Promise((resolve) => setTimeout(resolve, 300));
        return payload;
      default:
        throw new TypeError(kind);
    }
  },
  notice: () => {},
  close: async () => {},
});
