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
  stretches = STRETCH_MS > 0 ? new Stretches() : null;

  tick() {
    const now = performance.now();
    const wait = this.waited();
    const late = Math.max(0, now - this.last - PERIOD_MS - (wait - this.lastWait));
    if (STRETCH_MS > 0 && late >= STRETCH_MS) this.stretches.add(now, now - this.last);
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
    const stretches = this.stretches?.take() ?? [];
    // Looking at samples takes long itself.
    this.last = performance.now();
    this.lastWait = this.waited();
    return { delays: taken, stretches };
  }
}

/** Stretches of at least so many milliseconds are told with what ran in them; 0: none are. */
const STRETCH_MS = Number(process.env.HOSTILE_STACKS ?? 0);
const SAMPLE_MICROS = 1000;
/** Frames of a stack that are told, innermost first. */
const FRAMES = 14;

/** Samples what the main thread does, and tells of each long stretch the stacks that were seen most. */
class Stretches {
  session = new (require('node:inspector').Session)();
  long = [];

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS });
    this.session.post('Profiler.start');
  }

  add(end, ms) {
    this.long.push({ end: end * 1000, ms });
  }

  /** Those since the last time, the longest first. */
  take() {
    if (this.long.length === 0) return [];
    let profile;
    // Calls of a session of the same thread answer at once.
    this.session.post('Profiler.stop', (_error, result) => (profile = result.profile));
    this.session.post('Profiler.start');
    const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
    for (const node of profile.nodes) {
      for (const child of node.children ?? []) nodes.get(child).parent = node;
    }
    // Both clocks are the monotonic one; theirs does not begin with the process.
    const offset = Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000;
    const told = this.long.map(({ end, ms }) => {
      const until = end + offset;
      const seen = new Map();
      let at = profile.startTime;
      profile.samples.forEach((id, n) => {
        at += profile.timeDeltas[n];
        if (at < until - ms * 1000 || at > until) return;
        seen.set(id, (seen.get(id) ?? 0) + 1);
      });
      const stacks = new Map();
      for (const [id, count] of seen) {
        const stack = stackOf(nodes.get(id));
        stacks.set(stack, (stacks.get(stack) ?? 0) + count);
      }
      const most = [...stacks].sort(([, a], [, b]) => b - a).slice(0, 3);
      return { ms: Math.round(ms), stacks: most.map(([stack, count]) => `${count} x ${stack}`) };
    });
    this.long = [];
    return told.sort((a, b) => b.ms - a.ms).slice(0, 12);
  }
}

function stackOf(node) {
  const names = [];
  for (; node?.parent !== undefined && names.length < FRAMES; node = node.parent) {
    const { functionName, lineNumber } = node.callFrame;
    names.push(`${functionName || 'anonymous'}:${lineNumber + 1}`);
  }
  return names.join(' < ');
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
