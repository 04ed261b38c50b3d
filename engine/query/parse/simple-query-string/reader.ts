// The language of `simple_query_string`, which has no wrong texts: operators that make no sense are passed
// over. Groups are found beforehand, so that reading takes linear time however many are left open.

import { boolQuery } from '../../ast/bool-query';
import { FLAG } from './flags';
import { completeNegative } from '../../ast/minimum-should-match';
import { MATCH_ALL_DOCS, type Query } from '../../ast/query';

/** Groups may be nested this deep. */
export const MAX_GROUP_DEPTH = 200;

/** Groups are nested too deep. */
export class GroupDepthError extends Error {}

/** Makes the queries of words; null where analysis leaves nothing. */
export interface WordQueries {
  word(text: string): Query | null;
  phrase(text: string, slop: number): Query | null;
  prefix(text: string): Query | null;
  fuzzy(text: string, edits: number): Query | null;
  /** @throws EngineError when there are too many clauses together */
  checkClauses(count: number): void;
}

type Occur = 'must' | 'should';

/** Reads a text. Null: there is nothing in it. @throws GroupDepthError, and what `words` throws */
export function readSimpleQuery(
  text: string,
  flags: number,
  defaultOccur: Occur,
  words: WordQueries,
): Query | null {
  return new Reader(text, flags, defaultOccur, words).read(0, text.length, 0);
}

/** A bool query that clauses are added to while one operator goes on. */
interface Group {
  readonly occur: Occur;
  readonly clauses: Query[];
}

const WHITESPACE = /[ \t\n\r]/;

/** Edits that a fuzzy word may ask for at most. */
const MAX_EDITS = 2;

class Reader {
  /** Where the group that begins at a position ends. */
  private readonly ends: ReadonlyMap<number, number>;

  constructor(
    private readonly text: string,
    private readonly flags: number,
    private readonly defaultOccur: Occur,
    private readonly words: WordQueries,
  ) {
    this.ends = this.has(FLAG.precedence) ? this.groupEnds() : new Map();
  }

  private has(flag: number): boolean {
    return (this.flags & flag) !== 0;
  }

  /** The text between two positions. */
  read(from: number, to: number, depth: number): Query | null {
    if (depth > MAX_GROUP_DEPTH) throw new GroupDepthError();
    const tree = new Tree(this.defaultOccur, this.words);
    let at = from;
    while (at < to) {
      const character = this.text[at]!;
      if (character === '-' && this.has(FLAG.not)) {
        tree.negations++;
        at++;
        continue;
      }
      if (character === '(' && this.has(FLAG.precedence)) at = this.group(tree, at, to, depth);
      else if (character === ')' && this.has(FLAG.precedence)) at++;
      else if (character === '"' && this.has(FLAG.phrase)) at = this.phrase(tree, at + 1, to);
      else if (character === '+' && this.has(FLAG.and)) at = tree.operator('must', at);
      else if (character === '|' && this.has(FLAG.or)) at = tree.operator('should', at);
      else if (WHITESPACE.test(character) && this.has(FLAG.whitespace)) at++;
      else at = this.word(tree, at, to);
      tree.negations = 0;
    }
    return tree.query();
  }

  private group(tree: Tree, at: number, to: number, depth: number): number {
    const end = this.ends.get(at);
    // Never closed: the parenthesis is passed over.
    if (end === undefined || end >= to) return at + 1;
    if (end === at + 1) tree.forgetOperator();
    else {
      const { negations } = tree;
      const inner = this.read(at + 1, end, depth + 1);
      tree.negations = negations;
      tree.add(inner);
    }
    return end + 1;
  }

  /** @param start behind the quotation mark */
  private phrase(tree: Tree, start: number, to: number): number {
    let at = start;
    let content = '';
    for (; at < to && this.text[at] !== '"'; at++) {
      if (this.text[at] === '\\' && this.has(FLAG.escape) && ++at >= to) break;
      content += this.text[at]!;
    }
    if (at >= to) return start;
    if (at === start) {
      tree.forgetOperator();
      return at + 1;
    }
    let slop = 0;
    if (this.has(FLAG.near) && at + 1 < to && this.text[at + 1] === '~') {
      at++;
      // A tilde at the very end is no more than that.
      if (at + 1 < to) [slop, at] = this.number(at + 1, to);
    }
    tree.add(this.words.phrase(content, slop));
    return at + 1;
  }

  private word(tree: Tree, from: number, to: number): number {
    let at = from;
    let content = '';
    let isPrefix = false;
    let isFuzzy = false;
    for (; at < to; at++) {
      const character = this.text[at]!;
      if (character === '\\' && this.has(FLAG.escape)) {
        isPrefix = false;
        if (++at < to) content += this.text[at]!;
        continue;
      }
      if (this.endsWord(character)) break;
      if (content !== '' && character === '~' && this.has(FLAG.fuzzy)) {
        isFuzzy = true;
        break;
      }
      isPrefix = content !== '' && character === '*' && this.has(FLAG.prefix);
      content += character;
    }
    if (content === '') return at;
    if (isFuzzy) {
      const [edits, end] = this.number(at + 1, to);
      tree.add(
        edits === 0
          ? this.words.word(content)
          : this.words.fuzzy(content, Math.min(edits, MAX_EDITS)),
      );
      return end;
    }
    tree.add(isPrefix ? this.words.prefix(content.slice(0, -1)) : this.words.word(content));
    return at;
  }

  /** The number up to the end of the word; 0 for anything else. @returns it and where it ends */
  private number(from: number, to: number): [value: number, end: number] {
    let end = from;
    while (end < to && !this.endsWord(this.text[end]!)) end++;
    const digits = this.text.slice(from, end);
    const value = /^[+-]?\d{1,10}$/.test(digits) ? Number(digits) : 0;
    return [value > 0 && value < 2 ** 31 ? value : 0, end];
  }

  private endsWord(character: string): boolean {
    switch (character) {
      case '"':
        return this.has(FLAG.phrase);
      case '|':
        return this.has(FLAG.or);
      case '+':
        return this.has(FLAG.and);
      case '(':
      case ')':
        return this.has(FLAG.precedence);
    }
    return WHITESPACE.test(character) && this.has(FLAG.whitespace);
  }

  /** Parentheses that are not escaped, in pairs. */
  private groupEnds(): ReadonlyMap<number, number> {
    const ends = new Map<number, number>();
    const open: number[] = [];
    const escapes = this.has(FLAG.escape);
    for (let at = 0; at < this.text.length; at++) {
      const character = this.text[at];
      if (character === '\\' && escapes) at++;
      else if (character === '(') open.push(at);
      else if (character === ')') {
        const start = open.pop();
        if (start !== undefined) ends.set(start, at);
      }
    }
    return ends;
  }
}

/**
 * The tree so far. A clause joins it by the operator before it; where that is another one than before, the
 * tree so far becomes the first clause of a new bool query.
 */
class Tree {
  /** Minus signs in front of the next clause. */
  negations = 0;
  private top: Query | Group | null = null;
  private occur: Occur | null = null;

  constructor(
    private readonly defaultOccur: Occur,
    private readonly words: WordQueries,
  ) {}

  /** An operator at a position; only the first one after a clause counts. @returns the next position */
  operator(occur: Occur, at: number): number {
    if (this.top !== null) this.occur ??= occur;
    return at + 1;
  }

  forgetOperator(): void {
    this.occur = null;
  }

  add(query: Query | null): void {
    // compat: an operator before a word of which analysis leaves nothing is for the next one.
    if (query === null) return;
    const clause = this.negations % 2 === 1 ? negated(query) : query;
    if (this.top === null) this.top = clause;
    else {
      const occur = this.occur ?? this.defaultOccur;
      const group: Group =
        'clauses' in this.top && this.top.occur === occur
          ? this.top
          : { occur, clauses: [queryOf(this.top)] };
      group.clauses.push(clause);
      this.words.checkClauses(group.clauses.length);
      this.top = group;
    }
    this.occur = null;
  }

  query(): Query | null {
    return this.top === null ? null : queryOf(this.top);
  }
}

function queryOf(top: Query | Group): Query {
  if (!('clauses' in top)) return top;
  const { occur, clauses } = top;
  return boolQuery(occur === 'must' ? { must: clauses } : { should: clauses });
}

/** Everything but what matches, which scores as everything does. */
function negated(query: Query): Query {
  return completeNegative(
    boolQuery({ mustNot: [query], should: [MATCH_ALL_DOCS], order: ['mustNot', 'should'] }),
  );
}
