// Makes V8 compile what a server runs early, keeps it from forgetting what it has learnt about code that
// rests for a while, and lets it collect garbage at less cost. To be imported before everything else.
//
// V8 counts the bytes of bytecode a function has executed and compiles it when a budget is spent several
// times. Most functions on the way of a request run once per request and are short: with the default of
// 132 KB they stay slow for thousands of requests. What they are compiled for is seen after some hundred.
//
// A server runs the same code for months, but not all of it all the time. V8 drops the bytecode of functions
// that were not called during some collections, and the shapes of objects of which none is alive; what was
// compiled for those shapes goes with them. When such requests come again, everything is compiled anew, on
// other threads, for more processor time than hundreds of requests take.
//
// Loading makes a lot of garbage, in small objects here and in typed arrays on the indexer. By default V8
// lets threads with a small limit grow their heap by a few megabytes between two collections of everything,
// and counts typed arrays as growth; and it shares out what is alive of the young objects to four threads,
// who find so little that they mostly look for work. Both together cost a tenth of what loading takes.
//
// All flags are looked at whenever they are needed, so that they hold although V8 has started.

import { setFlagsFromString } from 'node:v8';

/** The major version of V8: 11 in Node 20, 12 in Node 22, 13 in Node 24. */
const V8 = Number.parseInt(process.versions.v8, 10);
/** The newest one that these flags were tried with. */
const NEWEST = 13;

/** Sets a flag where V8 knows it; about others it complains on standard error, and says it no other way. */
function set(flag: string, last = NEWEST): void {
  if (V8 <= last) setFlagsFromString(flag);
}

/** Bytes of bytecode that make a tick; a function is compiled after 3 ticks and more if it is long. */
const COMPILE_AFTER = 5_000;
// Later versions count calls, and compile after some hundred of them anyway.
set(`--interrupt-budget=${COMPILE_AFTER}`, 11);
set('--no-flush-bytecode');
/** How much a heap grows before all of it is collected, in percent of what was alive the last time. */
const HEAP_GROWTH = 200;
set(`--heap-growing-percent=${HEAP_GROWTH}`);
set('--no-parallel-scavenge');
/** Collections of old objects that the shape of objects outlives the last one of them. */
const SHAPES_OUTLIVE = 1_000_000;
set(`--retain-maps-for-n-gc=${SHAPES_OUTLIVE}`);
