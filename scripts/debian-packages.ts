// Turns the package list of a Debian machine (`apt-cache dumpavail`) into bulk NDJSON on standard
// output.
//
//   scripts/corpus-debian [--index NAME] [--times N] [--long TRANSLATION_FILE] [--mapping]
//
// --times N multiplies the corpus deterministically: copy k of a package has `~k` after its name and k more
// kilobytes installed. --long takes apt's Translation-en list for the long descriptions. --mapping prints
// the body for creating the index instead.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const USAGE =
  'usage: corpus-debian [--index NAME] [--times N] [--long TRANSLATION_FILE] [--mapping]';

const KEYWORD = { type: 'string', index: 'not_analyzed' };

/** Index definition that goes with the corpus. */
export const CORPUS_MAPPING = {
  mappings: {
    package: {
      properties: {
        name: KEYWORD,
        version: KEYWORD,
        section: KEYWORD,
        priority: KEYWORD,
        maintainer: KEYWORD,
        size: { type: 'long' },
        tags: KEYWORD,
        depends: KEYWORD,
        description: { type: 'string' },
      },
    },
  },
};

/** Fields of one stanza of the package list; continuation lines are joined by newlines. */
export type Stanza = ReadonlyMap<string, string>;

/** Splits the text of a Debian control file into stanzas. */
export async function* readStanzas(lines: AsyncIterable<string>): AsyncGenerator<Stanza> {
  let stanza = new Map<string, string>();
  let field = '';
  for await (const line of lines) {
    if (line === '') {
      if (stanza.size > 0) yield stanza;
      stanza = new Map();
    } else if (line.startsWith(' ') || line.startsWith('\t')) {
      stanza.set(field, `${stanza.get(field) ?? ''}\n${line.slice(1)}`);
    } else {
      const colon = line.indexOf(':');
      field = line.slice(0, colon);
      stanza.set(field, line.slice(colon + 1).trim());
    }
  }
  if (stanza.size > 0) yield stanza;
}

/** `a (>= 1) | b, c` → the names a, b, c, each once. */
export function dependencyNames(text: string): string[] {
  const names = new Set<string>();
  for (const part of text.split(/[,|]/)) {
    const name = part.trim().split(/[\s(:[<]/)[0];
    if (name !== undefined && name !== '') names.add(name);
  }
  return [...names];
}

/** The document of a package, or null for a stanza that is none. */
export function toDocument(
  stanza: Stanza,
  longDescriptions: ReadonlyMap<string, string>,
): Record<string, unknown> | null {
  const name = stanza.get('Package');
  if (name === undefined) return null;
  const tags = (stanza.get('Tag') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return {
    name,
    version: stanza.get('Version') ?? '',
    section: stanza.get('Section') ?? '',
    priority: stanza.get('Priority') ?? '',
    maintainer: stanza.get('Maintainer') ?? '',
    size: Number(stanza.get('Installed-Size') ?? 0),
    tags,
    depends: dependencyNames(stanza.get('Depends') ?? ''),
    description:
      longDescriptions.get(stanza.get('Description-md5') ?? '') ?? stanza.get('Description') ?? '',
  };
}

async function readLongDescriptions(file: string | undefined): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (file === undefined) return texts;
  for await (const stanza of readStanzas(createInterface({ input: createReadStream(file) }))) {
    const digest = stanza.get('Description-md5');
    const text = stanza.get('Description-en');
    if (digest !== undefined && text !== undefined) texts.set(digest, text);
  }
  return texts;
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Runs the program. @throws Error with what is wrong with its options */
export async function writeCorpus(): Promise<void> {
  const { values } = parseArgs({
    options: {
      index: { type: 'string', default: 'packages' },
      times: { type: 'string', default: '1' },
      long: { type: 'string' },
      mapping: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (values.mapping) {
    console.log(JSON.stringify(CORPUS_MAPPING));
    return;
  }
  const times = Number(values.times);
  if (!Number.isInteger(times) || times < 1) {
    throw new Error(`--times needs a whole number from 1, not ${values.times}`);
  }
  const texts = await readLongDescriptions(values.long);
  const documents: Record<string, unknown>[] = [];
  const dump = spawn('apt-cache', ['dumpavail'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const seen = new Set<string>();
  for await (const stanza of readStanzas(createInterface({ input: dump.stdout }))) {
    const document = toDocument(stanza, texts);
    if (document === null || seen.has(document['name'] as string)) continue;
    seen.add(document['name'] as string);
    documents.push(document);
  }
  for (let copy = 0; copy < times; copy++) {
    for (const document of documents) {
      const name = copy === 0 ? document['name'] : `${document['name'] as string}~${copy}`;
      const action = { index: { _index: values.index, _type: 'package', _id: name } };
      const body = { ...document, name, size: (document['size'] as number) + copy };
      await write(`${JSON.stringify(action)}\n${JSON.stringify(body)}\n`);
    }
    process.stderr.write(`\r${(documents.length * (copy + 1)).toLocaleString('en')} documents`);
  }
  process.stderr.write('\n');
}
