// Keeps V8 from forgetting what it has learnt about code that rests for a while. To be imported before
// everything else.
//
// A server runs the same code for months, but not all of it all the time. V8 drops the bytecode of functions
// that were not called during some collections, and the shapes of objects of which none is alive; what was
// compiled for those shapes goes with them. When such requests come again, everything is compiled anew, on
// other threads, for more processor time than hundreds of requests take. Both flags are looked at whenever
// V8 collects garbage, so that they hold although V8 has started.

import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--no-flush-bytecode');
/** Collections of old objects that the shape of objects outlives the last one of them. */
const SHAPES_OUTLIVE = 1_000_000;
setFlagsFromString(`--retain-maps-for-n-gc=${SHAPES_OUTLIVE}`);
