// Terms that a script makes: of the values of fields, each of which it may keep, drop or replace, or of
// documents as they are (reference server).

import {
  DocumentScript,
  type ScoresOf,
  termColumn,
  type Term,
  ValueTable,
} from '../../counting/index';
import {
  type ScriptValue,
  HostObject,
  isNumber,
  termTextOf,
  toBigInt,
  toDouble,
} from '../../script/index';
import { Double } from '../../json/index';
import { EngineError } from '../../errors';
import { NO_MORE_DOCS, type Bitset, type SegmentReader } from '../../segment/index';
import { asText } from './counted-terms';
import type { FacetCollector } from '../contract/facet';
import { TermFilter, textTest } from './term-filter';
import { TextCounter } from './text-counter';
import {
  showsExcluded,
  type FieldSource,
  type TermSource,
  type TermsPartial,
  type TermsScript,
  type TermsSpec,
} from './terms-spec';

/** Counts what a script makes of the terms of fields. `missing` and `total` know nothing of the script. */
export class MappedTermsCollector implements FacetCollector {
  private readonly run: DocumentScript;
  private readonly text = new TextCounter();
  private readonly numbers: ValueTable | null;
  private missing = 0;
  private total = 0;

  constructor(
    private readonly spec: TermsSpec,
    { plan, now }: TermsScript,
    scoresOf: ScoresOf,
  ) {
    this.run = new DocumentScript(plan, now, scoresOf, ['term', '_value']);
    const { termType } = spec;
    this.numbers = termType === 'long' || termType === 'double' ? new ValueTable(termType) : null;
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    for (const source of this.spec.sources) {
      this.run.open(segment);
      this.collectSource(segment, source, docs);
    }
  }

  partial(): TermsPartial {
    const { missing, total, spec } = this;
    const list = this.numbers === null ? this.text.result() : this.numbers.result();
    const counted = spec.merged ? asText(list) : list;
    return { missing, total, candidates: { counted, entries: null } };
  }

  private collectSource(segment: SegmentReader, source: TermSource, docs: Bitset | null): void {
    if (source.kind === 'field') this.collectField(segment, source, docs);
    else if (docs !== null && source.kind === 'nothing') this.missing += docs.count();
    else if (docs !== null && source.kind === 'constant') {
      for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
        this.total++;
        this.map(source.term, doc);
      }
    }
  }

  private collectField(segment: SegmentReader, source: FieldSource, docs: Bitset | null): void {
    const { field, fieldKind } = source;
    const column = termColumn(segment, field, fieldKind);
    if (column === null) {
      if (docs !== null) this.missing += docs.count();
      return;
    }
    const { terms } = column;
    const filter = TermFilter.of(terms, this.spec, segment, String(field));
    if (this.spec.allTerms) {
      const leftOut = showsExcluded(source) ? null : filter;
      for (let ordinal = 0; ordinal < terms.size; ordinal++)
        if (leftOut === null || leftOut.accepts(ordinal)) this.count(terms.termAt(ordinal), 0);
    }
    if (docs === null) return;
    const { offsets, ordinals } = column.ordinals();
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
      // With one term each, ordinal 0 stands for documents without one.
      const from = offsets === null ? doc : offsets[doc]!;
      const to = offsets === null ? (ordinals[doc] === 0 ? doc : doc + 1) : offsets[doc + 1]!;
      if (from === to) this.missing++;
      this.total += to - from;
      for (let i = from; i < to; i++) {
        const ordinal = offsets === null ? ordinals[i]! - 1 : ordinals[i]!;
        if (filter === null || filter.accepts(ordinal)) this.map(terms.termAt(ordinal), doc);
      }
    }
  }

  /** Counts what the script gives for a term. */
  private map(term: Term, doc: number): void {
    const { run } = this;
    run.seek(doc);
    run.script.term = typeof term === 'number' ? new Double(term) : term;
    const result = run.script.value(doc);
    if (result === null || result === false) return;
    this.count(result === true ? term : this.termOf(result), 1);
  }

  /** @throws EngineError ClassCastException where a number is needed */
  private termOf(result: ScriptValue): Term {
    if (this.numbers === null) return termTextOf(result);
    if (result !== null && isNumber(result))
      return this.spec.termType === 'long' ? toBigInt(result) : toDouble(result);
    throw new EngineError('ClassCastException', 'the script of a terms facet gave no number');
  }

  private count(term: Term, count: number): void {
    if (this.numbers === null)
      this.text.add(typeof term === 'string' ? term : termTextOf(term), count);
    else this.numbers.addTerm(term as bigint | number, count);
  }
}

/** Counts what a script gives for documents: a value, or each element of a list. */
export class ScriptTermsCollector implements FacetCollector {
  private readonly run: DocumentScript;
  private readonly accepts: ((term: string) => boolean) | null;
  private readonly terms = new TextCounter();
  private missing = 0;
  private total = 0;

  constructor(spec: TermsSpec, { plan, now }: TermsScript, scoresOf: ScoresOf) {
    this.run = new DocumentScript(plan, now, scoresOf);
    this.accepts = textTest(spec);
  }

  collect(segment: SegmentReader, docs: Bitset | null): void {
    if (docs === null) return;
    const { run } = this;
    run.open(segment);
    for (let doc = docs.next(0); doc !== NO_MORE_DOCS; doc = docs.next(doc + 1)) {
      const before = this.total;
      run.seek(doc);
      const given = run.script.value(doc);
      const listed = given instanceof HostObject ? given.plain() : given;
      if (Array.isArray(listed)) for (const value of listed) this.count(value);
      else this.count(given);
      if (this.total === before) this.missing++;
    }
  }

  partial(): TermsPartial {
    const { missing, total } = this;
    return { missing, total, candidates: { counted: this.terms.result(), entries: null } };
  }

  private count(value: ScriptValue): void {
    if (value === null) return;
    const text = termTextOf(value);
    if (this.accepts !== null && !this.accepts(text)) return;
    this.terms.add(text, 1);
    this.total++;
  }
}
