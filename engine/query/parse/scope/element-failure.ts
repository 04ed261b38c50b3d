// What the parser of a search body complains of.

/** A complaint of the search body parser itself; its text names the shard, so it is completed per shard. */
export class ElementFailure extends Error {}
