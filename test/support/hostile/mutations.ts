// Requests of recorded cases and of the table of routes, changed in random places: members removed, doubled,
// renamed or of another type, numbers and nesting beyond all bounds, bytes cut out or put in.

import { join } from 'node:path';
import { readCases } from '../../../scripts/dev/conformance/cases';
import { ROUTES } from '../../../server/routes/route-table';
import type { Random } from '../random';
import { encode, type HostileRequest } from './wire';

interface Seed {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const NAMES = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    '*',
    '_all',
    '_id',
    'a.b',
    '\0',
    '\ud800',
  ],
  ...['i', 'type', 'query', 'filter', 'field', 'size', 'script', 'index', 'é', '..', '%', ' '],
];
/** What JSON.stringify cannot write; stands in quotes until the text is made. */
const RAW = [
  '1e400',
  '-1e400',
  '99999999999999999999999',
  '-0',
  '1e-400',
  '01',
  'NaN',
  '0x1',
  "'x'",
  '{a:1}',
  '[',
  '}',
];
const RAW_MARK = 'raw value ';
const VALUES: readonly Json[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    2_147_483_648,
    -2_147_483_648,
    9_007_199_254_740_991,
    0.1,
    1e308,
  ],
  ...[
    '',
    'x',
    '1',
    'true',
    '*',
    '_all',
    '2014-01-01',
    '1d',
    '\0',
    '\udfff',
    'NaN',
    'x'.repeat(40_000),
  ],
  ...[[], {}, [[]], [null], [[[[1]]]], { a: { b: {} } }],
];
const PARAMETERS = [
  ...[
    'size=-1',
    'size=2147483647',
    'from=9',
    'routing=a,b',
    'version=-1',
    'version=9223372036854775808',
  ],
  ...[
    'version_type=external',
    'version_type=x',
    'op_type=create',
    'refresh',
    'pretty',
    'format=yaml',
    'fields=*',
  ],
  ...[
    'fields=_source,_parent',
    '_source=false',
    'sort=n:x',
    'q=%22',
    'q=(((',
    'df=',
    'analyzer=x',
    'search_type=scan',
  ],
  ...[
    'search_type=count',
    'scroll=1m',
    'ignore_unavailable=true',
    'expand_wildcards=closed',
    'level=shards',
    'v',
    'h=*',
  ],
  ...[
    'filter_path=**',
    'ttl=-1',
    'timestamp=x',
    'parent=1',
    'percolate=x',
    'explain',
    'human',
    'case=camelCase',
    'a[__proto__]=1',
  ],
];
const PIECES = [
  '[',
  '{',
  ']',
  '}',
  '"',
  ',',
  ':',
  '\\u',
  '\0',
  '\n',
  '---\n',
  'é',
  '\ufeff',
  '1e999',
  '/*',
  '//',
  "'",
];

/** Makes the requests. */
export class Mutations {
  private readonly seeds: readonly Seed[];
  private readonly bodies: readonly string[];

  constructor(private readonly random: Random) {
    const cases = readCases(join(__dirname, '..', '..', 'conformance', 'cases'));
    this.seeds = cases.flatMap(({ setup, checks }) => [...setup, ...checks]);
    this.bodies = this.seeds.flatMap(({ body }) => (body === undefined ? [] : [body]));
  }

  /** The next one. */
  next(): HostileRequest {
    const { random } = this;
    const seed = random.chance(0.7) ? random.pick(this.seeds) : this.route();
    const body = seed.body === undefined || random.chance(0.1) ? this.anyBody() : seed.body;
    const text = random.chance(0.6) ? this.changedValues(body) : this.changedText(body);
    const { method } = seed;
    const path = this.path(seed.path);
    if (random.chance(0.1) && seed.body === undefined) return { method, path };
    return { method, path, body: random.chance(0.05) ? Buffer.from(text, 'utf16le') : text };
  }

  private anyBody(): string {
    return this.random.pick(this.bodies);
  }

  private route(): Seed {
    const { methods, path } = this.random.pick(ROUTES);
    const filled = path.replace(/\{\w+\}/g, () => this.name());
    return { method: this.random.pick(methods), path: filled, body: this.anyBody() };
  }

  private name(): string {
    return encode(this.random.pick(NAMES));
  }

  private path(path: string): string {
    const { random } = this;
    let [target = '', query = ''] = path.replace(/\{\{\w+\}\}/g, 'x').split('?', 2);
    // It would wait for what does not come.
    if (/health/.test(target)) return `${target}?timeout=1ms`;
    if (random.chance(0.1)) {
      const parts = target.split('/');
      parts[random.between(1, parts.length)] = this.name();
      target = parts.join('/');
    }
    while (random.chance(0.25)) query += `&${random.pick(PARAMETERS)}`;
    return query === '' ? target : `${target}?${query}`;
  }

  /** Changes what the text says; line by line where it has lines. */
  private changedValues(body: string): string {
    const { random } = this;
    const lines = body.split('\n');
    const at = random.below(lines.length);
    let value: Json;
    try {
      value = JSON.parse(lines[at]!) as Json;
    } catch {
      return this.changedText(body);
    }
    for (let changes = random.between(1, 3); changes > 0; changes--) value = this.changed(value);
    const text = JSON.stringify(value);
    lines[at] = text.replace(/"raw value ((?:[^"\\]|\\.)*)"/g, (_whole, raw: string) => raw);
    return lines.join('\n');
  }

  private changed(value: Json): Json {
    const { random } = this;
    const isLeaf = value === null || typeof value !== 'object' || Object.keys(value).length === 0;
    if (isLeaf || random.chance(0.15)) return this.other(value);
    const isList = Array.isArray(value);
    const entries = Object.entries(value);
    const at = random.below(entries.length);
    const [name, inner] = entries[at]!;
    const dice = random.next();
    if (dice < 0.6) entries[at] = [name, this.changed(inner)];
    else if (dice < 0.75) entries.splice(at, 1);
    else if (dice < 0.9) entries[at] = [random.pick(NAMES), inner];
    else entries.push([random.pick(NAMES), this.other(inner)]);
    if (isList) return entries.map(([, item]) => item);
    // Also members that a plain object would take for its own.
    const made = Object.create(null) as { [name: string]: Json };
    for (const [key, item] of entries) made[key] = item;
    return made;
  }

  private other(value: Json): Json {
    const { random } = this;
    const dice = random.next();
    if (dice < 0.5) return random.pick(VALUES);
    if (dice < 0.7) return RAW_MARK + random.pick(RAW);
    if (dice < 0.8) return Array.from({ length: random.pick([2, 100, 2000]) }, () => value);
    if (dice < 0.9) return { [random.pick(NAMES)]: value };
    let deep = value;
    for (let depth = random.pick([10, 100, 1000]); depth > 0; depth--) {
      deep = depth % 2 === 0 ? [deep] : { [random.pick(['a', 'bool', 'not', 'properties'])]: deep };
    }
    return deep;
  }

  private changedText(body: string): string {
    const { random } = this;
    let text = body;
    for (let changes = random.between(1, 4); changes > 0; changes--) {
      const at = random.below(text.length + 1);
      const times = random.chance(0.1) ? random.below(5000) : random.below(3);
      text =
        text.slice(0, at) + random.pick(PIECES).repeat(times) + text.slice(at + random.below(20));
    }
    return random.chance(0.1) ? `---\n${text}` : text;
  }
}
