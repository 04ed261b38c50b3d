// Where documents lie. facetd says which shard a document is in (as 1.x does); OpenSearch puts it where a
// hash of its routing value leads. So every shard has a routing value of its own, of which the hash leads
// there.

/** MurmurHash3 (x86, 32 bits, seed 0) of a text as UTF-16LE, which OpenSearch routes by. */
function murmur3(text: string): number {
  const bytes = Buffer.from(text, 'utf16le');
  const blocks = bytes.length >>> 2;
  let hash = 0;
  for (let i = 0; i < blocks; i++) {
    hash ^= mixed(bytes.readInt32LE(4 * i));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let i = bytes.length - 1; i >= 4 * blocks; i--) rest = (rest << 8) | bytes[i]!;
  if (bytes.length > 4 * blocks) hash ^= mixed(rest);
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function mixed(block: number): number {
  const k = Math.imul(block, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

const known = new Map<number, readonly string[]>();

/**
 * The routing value of each shard of an index that has as many routing shards as shards, by the number of the
 * shard.
 */
export function routingValues(shards: number): readonly string[] {
  let values = known.get(shards);
  if (values === undefined) known.set(shards, (values = findValues(shards)));
  return values;
}

function findValues(shards: number): readonly string[] {
  const values = new Array<string>(shards);
  let missing = shards;
  for (let n = 0; missing > 0; n++) {
    const hash = murmur3(String(n));
    const shard = ((hash % shards) + shards) % shards;
    if (values[shard] !== undefined) continue;
    values[shard] = String(n);
    missing--;
  }
  return values;
}
