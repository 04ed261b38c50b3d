// Loaded into a server under attack (test/support/hostile/victim.ts): tells, when asked, how late its event
// loop came round, how much memory is left after a collection, and whether anybody changed what all objects
// share. The product itself knows nothing of it.

const { openSync, readSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const PERIOD_MS = 10;
/** Delays by whole milliseconds; the last one stands for all above. */
const MOST_MS = 60_000;

const SHARED = [Object, Array, Function, String, Number, Boolean, Map, Set, Promise, Error, Buffer];

/**
 * How long the main thread waited for a processor until now, in ms: what others take from it says nothing about
 * it. 0 where the system does not tell.
 */
function waiting() {
  let file;
  try {
    // Of the process, which is to say of its first thread.
    file = openSync('/proc/self/schedstat', 'r');
  } catch {
    return () => 0;
  }
  const bytes = Buffer.alloc(96);
  return () => {
    const text = bytes.latin1Slice(0, readSync(file, bytes, 0, bytes.length, 0));
    return Number(text.split(' ')[1]) / 1e6;
  };
}

class Delays {
  counts = new Uint32Array(MOST_MS + 1);
  waited = waiting();
  lastWait = this.waited();
  last = performance.now();

  tick() {
    const now = performance.now();
    const wait = this.waited();
    const late = Math.max(0, now - this.last - PERIOD_MS - (wait - this.lastWait));
    // While it was blocked it would have been late at every look in between, by less and less.
    for (let delay = late; ; delay -= PERIOD_MS) {
      this.counts[Math.min(Math.floor(delay), MOST_MS)]++;
      if (delay < PERIOD_MS) break;
    }
    this.last = now;
    this.lastWait = wait;
  }

  /** What was seen since the last time. */
  take() {
    const taken = [];
    this.counts.forEach((count, ms) => {
      if (count > 0) taken.push([ms, count]);
    });
    this.counts.fill(0);
    return { delays: taken };
  }
}

function ownNames() {
  return SHARED.flatMap((shared) => [
    ...Reflect.ownKeys(shared).map((key) => `${shared.name}.${String(key)}`),
    ...Reflect.ownKeys(shared.prototype).map((key) => `${shared.name}.prototype.${String(key)}`),
  ]);
}

if (isMainThread && process.send !== undefined) {
  const names = new Set(ownNames());
  const delays = new Delays();
  setInterval(() => delays.tick(), PERIOD_MS).unref();
  process.on('message', (question) => {
    switch (question) {
      case 'delays':
        process.send(delays.take());
        break;
      case 'memory': {
        globalThis.gc();
        const { heapUsed, external } = process.memoryUsage();
        process.send({ bytes: heapUsed + external });
        break;
      }
      case 'changes':
        process.send({ changes: ownNames().filter((name) => !names.has(name)) });
        break;
    }
  });
  process.channel.unref();
}
