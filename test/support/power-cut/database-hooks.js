// Loaded into a server with `--require`: other options for its databases. DATABASE_BUFFER_BYTES makes the write
// buffers of LevelDB small, so that tables are written and lists of files changed all the time;
// DATABASE_SYNC=false leaves out the syncing of batches.

const Module = require('node:module');

const { DATABASE_BUFFER_BYTES, DATABASE_SYNC } = process.env;

const load = Module._load;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (name === 'classic-level' || name === 'level') {
    change((loaded.ClassicLevel ?? loaded.Level).prototype);
  }
  return loaded;
};

const changed = new WeakSet();

function change(prototype) {
  if (changed.has(prototype)) return;
  changed.add(prototype);
  const { _open, batch } = prototype;
  if (DATABASE_BUFFER_BYTES !== undefined) {
    prototype._open = function (options) {
      return _open.call(this, { ...options, writeBufferSize: Number(DATABASE_BUFFER_BYTES) });
    };
  }
  if (DATABASE_SYNC === 'false') {
    prototype.batch = function (...args) {
      const chained = batch.apply(this, args);
      const { write } = chained;
      chained.write = function (options) {
        return write.call(this, { ...options, sync: false });
      };
      return chained;
    };
  }
}
