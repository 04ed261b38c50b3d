// Generates engine/analysis/data/rslp.json, the rules of the RSLP stemmers for Portuguese and Galician, from
// the resource files portuguese.rslp and galician.rslp of the Maven package
// org.apache.lucene:lucene-analyzers-common:4.10.4 (Apache 2.0), which is what the reference server has:
//
//   node scripts/dev/generate-rslp.mjs portuguese.rslp galician.rslp
//
// The output is checked in: a stem is part of an index.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const strings = (list) => [...(list ?? '').matchAll(/"([^"]*)"/g)].map(([, text]) => text);

/** The steps of a file: shortest word, kind of exceptions, endings that words must have, rules. */
function parse(path) {
  const steps = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.startsWith('#')) continue;
    const step = /^\{\s*"(\w+)",\s*(\d+),\s*([01]),\s*\{(.*)\},\s*$/.exec(line);
    if (step !== null) {
      const [, name, min, whole, endings] = step;
      steps.push({
        name,
        ...(min !== '0' && { shortest: Number(min) }),
        ...(whole === '1' && { wholeWords: true }),
        ...(endings !== '' && { endings: strings(endings).join(' ') }),
        rules: [],
      });
      continue;
    }
    const rule = /^\s*\{\s*"([^"]*)",\s*(\d+)\s*(?:,\s*"([^"]*)"\s*)?(?:,\s*\{(.*?)\}\s*)?\}/.exec(
      line,
    );
    if (rule === null) continue;
    const [, suffix, stay, replacement = '', exceptions] = rule;
    const kept = strings(exceptions).join(',');
    const fields = [suffix, stay, replacement, kept].join(':').replace(/:+$/, '');
    steps.at(-1).rules.push(fields);
  }
  const lines = steps.map(
    ({ name, rules, ...rest }) =>
      `  "${name.toLowerCase()}": ${JSON.stringify({ ...rest, rules: rules.join(' ') })}`,
  );
  return `{\n${lines.join(',\n')}\n }`;
}

const [portuguese, galician] = process.argv.slice(2).map(parse);
const path = fileURLToPath(new URL('../../engine/analysis/data/rslp.json', import.meta.url));
writeFileSync(path, `{\n "portuguese": ${portuguese},\n "galician": ${galician}\n}\n`);
