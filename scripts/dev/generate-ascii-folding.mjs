// Generates engine/analysis/data/ascii-folding.json, the letters, digits and signs that asciifolding knows by what
// it makes of them, from ASCIIFoldingFilter.java in the sources of the Maven package
// org.apache.lucene:lucene-analyzers-common:4.10.4 (Apache 2.0), which is what the reference server has:
//
//   node scripts/dev/generate-ascii-folding.mjs ASCIIFoldingFilter.java
//
// The output is checked in: what it says is part of indices.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A run of `case '\u00C0':` lines with their comments, and of lines that put characters out. */
const RUN =
  /((?:case '\\u[\dA-F]{4}':[^\n]*\s+)+)((?:output\[outputPos\+\+\] = '[^\n]+';\s+)+)break;/g;

const source = readFileSync(process.argv[2], 'utf8');
const folded = {};
for (const [, cases, outputs] of source.matchAll(RUN)) {
  const from = [...cases.matchAll(/case '\\u([\dA-F]{4})'/g)].map(([, hex]) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  const to = [...outputs.matchAll(/= '\\?(.)'/g)].map(([, character]) => character).join('');
  folded[to] = [...(folded[to] ?? ''), ...from].sort().join('');
}
const lines = Object.entries(folded)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([to, from]) => `  ${JSON.stringify(to)}: ${JSON.stringify(from)}`);
const path = fileURLToPath(
  new URL('../../engine/analysis/data/ascii-folding.json', import.meta.url),
);
writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
