// Synonym rules in the formats `solr` and `wordnet`, and the trie of words that finds them.

import { EngineError, illegalArgument } from '../../errors';
import type { Tokenizer } from './components';
import { lowerCase } from './lower-case';

/** A place in the trie: the words that may follow, and what the phrase up to here stands for. */
export interface SynonymNode {
  next: ReadonlyMap<string, SynonymNode>;
  /** Without repetitions; phrases of one rule may share the list. */
  outputs: readonly (readonly string[])[];
}

/** How rules are read. */
interface SynonymOptions {
  readonly format: 'solr' | 'wordnet';
  /** Whether the words of a plain list all stand for each other, and not only for the first. */
  readonly expand: boolean;
  readonly ignoreCase: boolean;
  /** Cuts both sides of rules into words. */
  readonly tokenizer: Tokenizer;
}

/** What nearly all nodes have, since most rules are of single words: shared, because there may be many. */
const NOTHING_NEXT: ReadonlyMap<string, SynonymNode> = new Map();
const NO_OUTPUTS: SynonymNode['outputs'] = [];

const newNode = (): SynonymNode => ({ next: NOTHING_NEXT, outputs: NO_OUTPUTS });

/**
 * Reads rules, one per line of `lines`.
 * @returns the root of the trie; it has no `next` when there are no rules
 * @throws EngineError ElasticsearchIllegalArgumentException for a rule that cannot be read
 */
export function* parseSynonyms(
  lines: readonly string[],
  options: SynonymOptions,
): Generator<void, SynonymNode> {
  const builder = new SynonymBuilder(options);
  if (options.format === 'wordnet') yield* builder.addWordnet(lines);
  else yield* builder.addSolr(lines);
  return builder.root;
}

/** How often outputs may be added to phrases that have some from other rules. */
const MOST_REPEATED = 1_000_000;

/** What phrases stand for, collected from several rules. */
interface Collected {
  readonly outputs: (readonly string[])[];
  readonly known: Set<string>;
}

class SynonymBuilder {
  readonly root = newNode();
  /** The phrases of several rules, which have lists of their own. */
  readonly #collected = new Map<SynonymNode, Collected>();
  #repeated = 0;

  constructor(private readonly options: SynonymOptions) {}

  *addSolr(lines: readonly string[]): Generator<void, void> {
    yield* eachLine(lines, (line) =>
      line === '' || line.startsWith('#') ? [] : this.#addSolrRule(line),
    );
  }

  *#addSolrRule(line: string): Generator<void, void> {
    const sides = splitUnescaped(line, '=>');
    if (sides.length > 2) {
      throw new EngineError(
        'IllegalArgumentException',
        'more than one explicit mapping specified on the same line',
      );
    }
    const [left, right] = sides;
    if (left === undefined) return;
    const inputs = yield* this.#phrases(left);
    if (right === undefined) {
      yield* this.#addGroup(inputs);
      return;
    }
    const outputs = yield* this.#phrases(right);
    const distinct = outputs.length === 1 ? outputs : (yield* collect(outputs)).outputs;
    for (const input of inputs) yield* this.#add(input, distinct);
  }

  *#phrases(side: string): Generator<void, (readonly string[])[]> {
    const phrases: (readonly string[])[] = [];
    for (const phrase of splitUnescaped(side, ',')) {
      yield;
      phrases.push(this.#words(unescape(phrase).trim()));
    }
    return phrases;
  }

  /** Lines such as `s(100000001,1,'woods',n,1,0).`; those of one number are synonyms. */
  *addWordnet(lines: readonly string[]): Generator<void, void> {
    let group = '';
    let phrases: (readonly string[])[] = [];
    yield* eachLine(lines, (line) => {
      const number = line.slice(2, 11);
      const before = phrases;
      if (number !== group) {
        phrases = [];
        group = number;
      }
      const phrase = line.slice(line.indexOf("'") + 1, line.lastIndexOf("'"));
      const words = this.#words(phrase.replaceAll("''", "'"));
      phrases.push(words);
      return before === phrases ? [] : this.#addWordnetGroup(before);
    });
    yield* this.#addWordnetGroup(phrases);
  }

  *#addWordnetGroup(phrases: readonly (readonly string[])[]): Generator<void, void> {
    if (phrases.length > 1) yield* this.#addGroup(phrases);
  }

  /** compat: a phrase stands for itself as well, so that it comes out as a synonym too. */
  *#addGroup(phrases: readonly (readonly string[])[]): Generator<void, void> {
    const { outputs } = yield* collect(this.options.expand ? phrases : phrases.slice(0, 1));
    for (const input of phrases) yield* this.#add(input, outputs);
  }
  #words(phrase: string): readonly string[] {
    const words: string[] = [];
    this.options.tokenizer.scan(phrase, (term, _start, _end, increment) => {
      if (term === '') return;
      if (increment !== 1) {
        throw new EngineError(
          'IllegalArgumentException',
          `term: ${phrase} analyzed to a token with posinc != 1`,
        );
      }
      words.push(this.options.ignoreCase ? lowerCase(term) : term);
    });
    if (words.length === 0) {
      throw new EngineError(
        'IllegalArgumentException',
        `term: ${phrase} was completely eliminated by analyzer`,
      );
    }
    return words;
  }

  /** @param outputs without repetitions; the list is shared with other phrases */
  *#add(input: readonly string[], outputs: readonly (readonly string[])[]): Generator<void, void> {
    yield;
    let node = this.root;
    for (const word of input) {
      let next = node.next.get(word);
      if (next === undefined) {
        next = newNode();
        if (node.next === NOTHING_NEXT) node.next = new Map();
        (node.next as Map<string, SynonymNode>).set(word, next);
      }
      node = next;
    }
    if (node.outputs.length === 0 || node.outputs === outputs) node.outputs = outputs;
    else yield* this.#addMore(node, outputs);
  }

  *#addMore(node: SynonymNode, outputs: readonly (readonly string[])[]): Generator<void, void> {
    let own = this.#collected.get(node);
    this.#repeated += outputs.length + (own === undefined ? node.outputs.length : 0);
    if (this.#repeated > MOST_REPEATED) {
      const reason = `more than [${MOST_REPEATED}] synonyms of phrases that other rules have as well`;
      throw new EngineError('IllegalArgumentException', reason);
    }
    if (own === undefined) {
      own = yield* collect(node.outputs);
      this.#collected.set(node, own);
      node.outputs = own.outputs;
    }
    yield* collect(outputs, own);
  }
}

/** Does something with each line. @throws EngineError that names the line */
function* eachLine(
  lines: readonly string[],
  action: (line: string) => Iterable<void>,
): Generator<void, void> {
  let number = 0;
  try {
    for (const line of lines) {
      number++;
      yield;
      yield* action(line);
    }
  } catch (cause) {
    const inner = new EngineError('ParseException', `Invalid synonym rule at line ${number}`, {
      cause,
    });
    throw illegalArgument('failed to build synonyms', inner);
  }
}

/** Adds phrases to others, each once, in order. */
function* collect(
  phrases: readonly (readonly string[])[],
  to: Collected = { outputs: [], known: new Set() },
): Generator<void, Collected> {
  for (const phrase of phrases) {
    yield;
    const text = phrase.join(' ');
    if (to.known.has(text)) continue;
    to.known.add(text);
    to.outputs.push(phrase);
  }
  return to;
}

/** Non-empty parts between separators; a backslash keeps the character behind it from separating. */
function splitUnescaped(text: string, separator: string): string[] {
  if (!text.includes('\\')) return text.split(separator).filter((part) => part !== '');
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < text.length;) {
    if (text.startsWith(separator, i)) {
      if (part !== '') parts.push(part);
      part = '';
      i += separator.length;
    } else {
      const width = text[i] === '\\' && i + 1 < text.length ? 2 : 1;
      part += text.slice(i, i + width);
      i += width;
    }
  }
  if (part !== '') parts.push(part);
  return parts;
}

function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\([^])/g, '$1') : text;
}
