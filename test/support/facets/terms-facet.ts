// The terms facet, counted thing by thing: fields of all kinds, several of them, scripts, levels of paths.

import type { Random } from '../random';
import { compareTerms, double, type Asked, type NumberName, type Thing } from './things';

/** The fields that have terms. */
export type TermName = 'tag' | 'path' | 'words' | 'flag' | NumberName;
type Term = string | number;

const NAMES: readonly TermName[] = [
  'tag',
  'tag',
  'path',
  'words',
  'flag',
  'one',
  'n',
  'big',
  'half',
  'day',
];
const NUMBERS: ReadonlySet<TermName> = new Set<TermName>(['one', 'n', 'big', 'half', 'day']);
const ORDERS = ['count', 'reverse_count', 'term', 'reverse_term'] as const;

/** The distinct terms of a field. */
export function termsOf(thing: Thing, field: TermName): Set<Term> {
  switch (field) {
    case 'words':
      return new Set(thing.words.toLowerCase().split(' ').filter(Boolean));
    case 'flag':
      return new Set(thing.flag.map((flag) => (flag ? 'T' : 'F')));
    default:
      return new Set<Term>(thing[field]);
  }
}

/** A term of a field as answers show it. */
export function shownTerm(term: Term, field: TermName): string {
  if (typeof term === 'string') return JSON.stringify(term);
  return field === 'half' ? double(term) : String(term);
}

/** What terms there are, how often, and the missing and total that the answer tells of them. */
interface Counted {
  readonly counts: Map<Term, number>;
  missing: number;
  total: number;
}

/** What the facet counts; `terms` is in the order of the document. */
interface Source {
  readonly members: (path: string) => object;
  /** Terms are all of this kind. */
  readonly field: TermName;
  readonly count: (thing: Thing, into: Counted) => void;
}

function add(into: Counted, term: Term): void {
  into.counts.set(term, (into.counts.get(term) ?? 0) + 1);
}

function fieldTerms(thing: Thing, field: TermName, into: Counted): Set<Term> {
  const terms = termsOf(thing, field);
  if (terms.size === 0) into.missing++;
  into.total += terms.size;
  return terms;
}

function oneField(field: TermName): Source {
  return {
    members: (path) => ({ field: path + field }),
    field,
    count: (thing, into) => {
      for (const term of fieldTerms(thing, field, into)) add(into, term);
    },
  };
}

/** Several fields: every one for itself, all terms as text. */
function severalFields(fields: readonly TermName[]): Source {
  return {
    members: (path) => ({ fields: fields.map((field) => path + field) }),
    field: 'tag',
    count: (thing, into) => {
      for (const field of fields) {
        for (const term of fieldTerms(thing, field, into))
          add(into, typeof term === 'string' ? term : shownTerm(term, field));
      }
    },
  };
}

const SCRIPTED: readonly Source[] = [
  {
    members: (path) => ({
      field: `${path}tag`,
      script: "term == 'a' ? false : term + suffix",
      params: { suffix: '/é' },
    }),
    field: 'tag',
    count: (thing, into) => {
      for (const term of fieldTerms(thing, 'tag', into)) if (term !== 'a') add(into, `${term}/é`);
    },
  },
  {
    // Equal results of several values of a document count each.
    members: (path) => ({ field: `${path}n`, script: 'term > 0 ? true : term * term' }),
    field: 'n',
    count: (thing, into) => {
      for (const term of fieldTerms(thing, 'n', into) as Set<number>)
        add(into, term > 0 ? term : term * term);
    },
  },
  {
    members: (path) => ({ script_field: `doc['${path}tag'].values` }),
    field: 'tag',
    count: (thing, into) => {
      for (const term of fieldTerms(thing, 'tag', into)) add(into, term);
    },
  },
  {
    members: (path) => ({
      script: `doc['${path}one'].empty ? null : doc['${path}one'].value % 2 == 0`,
    }),
    field: 'tag',
    count: (thing, into) => {
      for (const term of fieldTerms(thing, 'one', into)) add(into, String(Number(term) % 2 === 0));
    },
  },
];

function levelsOf(path: string): string[] {
  const levels: string[] = [];
  for (let end = 1; end <= path.length; end++) {
    if (path[end - 1] !== '/' && (end === path.length || path[end] === '/'))
      levels.push(path.slice(0, end));
  }
  return levels;
}

function hierarchy(depth: number): Source {
  return {
    members: (path) => ({ field: `${path}path`, hierarchy: { depth } }),
    field: 'path',
    count: (thing, into) => {
      const levels = new Set(thing.path.flatMap((path) => levelsOf(path).slice(0, depth)));
      if (levels.size === 0) into.missing++;
      into.total += levels.size;
      for (const level of levels) add(into, level);
    },
  };
}

/** What of the terms is shown, as the request says it. */
interface Options {
  readonly order: (typeof ORDERS)[number];
  readonly size: number;
  readonly from: number;
  readonly min_count: number;
  readonly cardinality: boolean;
  readonly missing: boolean;
  readonly exclude: readonly Term[];
  readonly prefix?: string;
  readonly regex?: string;
}

function someOptions(random: Random, isFilterable: boolean, isText: boolean): Options {
  return {
    order: random.pick(ORDERS),
    size: random.pick([0, 1, 3, 10, 5000]),
    from: random.pick([0, 0, 0, 2]),
    min_count: random.pick([0, 0, 0, 2]),
    cardinality: random.chance(0.3),
    missing: random.chance(0.3),
    exclude: isFilterable && random.chance(0.3) ? (isText ? ['a', 't1', 'T'] : [0, 7]) : [],
    ...(isFilterable && isText && random.chance(0.1) ? { prefix: 't1' } : {}),
    ...(isFilterable && isText && random.chance(0.1) ? { regex: '.*[a2-4]' } : {}),
  };
}

/** Terms of fields, of scripts, or levels of paths. */
export function terms(random: Random): Asked {
  const dice = random.next();
  const isHierarchy = dice >= 0.9;
  const source =
    dice < 0.6
      ? oneField(random.pick(NAMES))
      : dice < 0.7
        ? severalFields(
            random.pick([
              ['tag', 'path'],
              ['n', 'half', 'tag'],
              ['flag', 'words'],
            ]),
          )
        : isHierarchy
          ? hierarchy(random.pick([1, 9]))
          : random.pick(SCRIPTED);
  // Where a script maps terms, filters look at what they were before.
  const options = someOptions(random, dice < 0.7 || isHierarchy, !NUMBERS.has(source.field));
  return {
    request: (path) => ({ terms: { ...source.members(path), ...options } }),
    answer: (things) => answer(things, source, options, isHierarchy),
  };
}

function answer(things: readonly Thing[], source: Source, asked: Options, isHierarchy: boolean) {
  const counted: Counted = { counts: new Map(), missing: 0, total: 0 };
  for (const thing of things) source.count(thing, counted);
  const { missing, total } = counted;
  const isWanted = (term: Term): boolean =>
    !asked.exclude.includes(term) &&
    (asked.prefix === undefined || String(term).startsWith(asked.prefix)) &&
    (asked.regex === undefined || new RegExp(`^${asked.regex}$`, 'su').test(String(term)));
  const sign = asked.order === 'count' || asked.order === 'reverse_term' ? -1 : 1;
  const byCount = asked.order === 'count' || asked.order === 'reverse_count';
  const entries = [...counted.counts]
    .filter(([term, count]) => count >= asked.min_count && isWanted(term))
    .sort((a, b) => sign * ((byCount ? a[1] - b[1] : 0) || compareTerms(a[0], b[0])));
  const shown = entries.slice(asked.from, asked.from + asked.size);
  const other = shown.reduce((left, [, count]) => left - count, total);
  const list = shown.map(([term, count]) => {
    const levels = isHierarchy ? levelsOf(String(term)) : [];
    const place = `,"depth":${levels.length},"parent":${JSON.stringify(levels.at(-2) ?? null)}`;
    return `{"term":${shownTerm(term, source.field)},"count":${count}${isHierarchy ? place : ''}}`;
  });
  if (asked.missing && missing > 0) list.push(`{"term":null,"count":${missing}}`);
  const cardinality = asked.cardinality ? `"cardinality":${entries.length},` : '';
  return `{"_type":"terms","missing":${missing},"total":${total},"other":${other},${cardinality}"terms":[${list.join(',')}]}`;
}
