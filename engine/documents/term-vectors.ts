// Term vectors: the terms of a document, field by field, and what the index knows of them (reference server).
//
// They are made of the document's texts whenever they are asked for: `term_vector` of a field decides which
// fields are shown unasked, and whether they have positions and offsets.

import { PatternWork, RequestMeter, Slices } from '../common/index';
import { SizeBudget, type TokenBudget } from '../analysis/index';
import { EngineError } from '../errors';
import type { JsonOutput } from '../json/index';
import type { IndexMapping, MappedField } from '../mapping/index';
import { assertNotBlocked, type FieldId } from '../metadata/index';
import { assertPreference } from '../search/index';
import type { LogRecord } from '../../storage/index';
import type { DocumentHost } from './document-host';
import type { DocumentReads, FieldFigures, VisibleTerms } from './document-parts';
import type { DocumentTarget, DocumentTargets } from './document-targets';
import { itemError } from './item-error';
import { termsOf, type FieldTerms } from './term-vector-terms';
import {
  hasTerms,
  indexedTexts,
  mappingFor,
  sourceTexts,
  unreadableDocument,
} from './term-vector-values';
import type {
  TermVectorsControl,
  TermVectorsOutcome,
  TermVectorsRequest,
  TermVectorsResult,
} from '../api/index';

/** Bytes of the answer for each place of a term, about. */
const PLACE_BYTES = 96;

const NO_FIGURES: ReadonlyMap<FieldId, FieldFigures> = new Map();

/** A field with its texts, and what is shown of its terms. */
interface WantedField {
  readonly name: string;
  readonly mapped: MappedField;
  readonly texts: readonly string[];
  readonly positions: boolean;
  readonly offsets: boolean;
}

/** The document of a request, if there is one. */
interface FoundDocument {
  readonly version: number;
  readonly mapping: IndexMapping;
  readonly fields: readonly WantedField[];
}

/** The term vectors API. */
export class TermVectors {
  constructor(
    private readonly host: Pick<DocumentHost, 'limits' | 'now'>,
    private readonly targets: DocumentTargets,
    private readonly reads: DocumentReads,
    private readonly visible: VisibleTerms,
  ) {}

  /** @throws EngineError when the index or routing is missing, or there is too much text */
  async one(request: TermVectorsRequest, control: TermVectorsControl): Promise<TermVectorsResult> {
    return this.run(request, new RequestMeter(this.host.limits), new Slices(1), control);
  }

  /** Like many {@link one}s; what is wrong with one concerns it alone, unless its index is closed. */
  async several(
    requests: readonly TermVectorsRequest[],
    control: TermVectorsControl,
  ): Promise<readonly TermVectorsOutcome[]> {
    const slices = new Slices(1);
    const outcomes: TermVectorsOutcome[] = [];
    const meter = new RequestMeter(this.host.limits);
    for (const request of requests) {
      try {
        outcomes.push(await this.run(request, meter, slices, control));
      } catch (error) {
        const known = itemError(error);
        if (failsAll(known)) throw error;
        outcomes.push(known);
      }
    }
    return outcomes;
  }

  private async run(
    request: TermVectorsRequest,
    meter: RequestMeter,
    slices: Slices,
    { signal, memory }: TermVectorsControl,
  ): Promise<TermVectorsResult> {
    if (slices.isOver()) await slices.next();
    const started = performance.now();
    const { type, id } = request;
    const target = this.target(request);
    const index = target.indexService.name;
    const document = await this.document(request, target);
    const result = { index, type, id };
    const tookMs = (): number => Math.floor(performance.now() - started);
    if (document === null) {
      return { ...result, found: false, version: 0, tookMs: tookMs(), fields: undefined };
    }
    const found: (readonly [field: WantedField, terms: FieldTerms])[] = [];
    const budget = new SizeBudget((bytes) => meter.add('analyzed', bytes));
    for (const field of document.fields) {
      if (slices.isOver()) await slices.next();
      if (signal?.aborted === true) break;
      meter.add(
        'text',
        field.texts.reduce((sum, { length }) => sum + length, 0),
      );
      const terms = this.terms(field, request, target, document.mapping, budget);
      if (terms === null) continue;
      memory?.grow(PLACE_BYTES * terms.tokens);
      found.push([field, terms]);
    }
    const figures = await this.figures(target, found, request);
    const fields = new Map<string, JsonOutput>();
    for (const [field, terms] of found) {
      if (slices.isOver()) await slices.next();
      const ofField = figures.get(field.mapped.field!.id) ?? null;
      fields.set(field.name, render(field, terms, ofField, request));
    }
    // The answer is written next.
    if (slices.isOver()) await slices.next();
    return { ...result, found: true, version: document.version, tookMs: tookMs(), fields };
  }

  /** What searches see of the fields, as far as it is asked for. */
  private async figures(
    target: DocumentTarget,
    found: readonly (readonly [field: WantedField, terms: FieldTerms])[],
    { fieldStatistics, termStatistics }: TermVectorsRequest,
  ): Promise<ReadonlyMap<FieldId, FieldFigures>> {
    if (!fieldStatistics && !termStatistics) return NO_FIGURES;
    const wanted = found.map(([{ mapped }, { terms }]) => ({
      field: mapped.field!,
      terms: termStatistics ? terms.map(([term]) => term) : [],
    }));
    return wanted.length === 0 ? NO_FIGURES : this.visible.figures(target, wanted);
  }

  private target({ index, type, id, routing, parent, doc }: TermVectorsRequest): DocumentTarget {
    const target =
      doc === null
        ? this.targets.target(index, type, id ?? '', routing, parent, 'read')
        : this.targets.target(index, '_all', '', routing, parent, 'read');
    assertNotBlocked(target.metadata, 'read');
    return target;
  }

  private async document(
    request: TermVectorsRequest,
    target: DocumentTarget,
  ): Promise<FoundDocument | null> {
    const { type, id, doc, realtime } = request;
    assertPreference(request.preference);
    if (doc !== null) {
      try {
        const mapping = mappingFor(target.indexService, target.metadata, type, doc);
        return { version: 0, mapping, fields: artificial(request, mapping, type, doc, () => true) };
      } catch (error) {
        throw error instanceof EngineError ? unreadableDocument(error) : error;
      }
    }
    if (type === '_all') return null;
    const found = await this.reads.load(target, type, id ?? '', realtime);
    if (found === undefined) return null;
    const { record } = found;
    const { mapping } = target;
    const { version } = record;
    // compat: what searches do not see yet is taken for a document that is not in the index.
    const isFresh = realtime && !(await this.visible.isVisible(target, found));
    const fields = isFresh
      ? artificial(request, mapping, type, record.source, keepsTermVectors)
      : stored(request, mapping, record, this.host.now());
    return { version, mapping, fields };
  }

  private terms(
    { name, mapped, texts }: WantedField,
    { analyzers }: TermVectorsRequest,
    { indexService, metadata }: DocumentTarget,
    mapping: IndexMapping,
    budget: TokenBudget,
  ): FieldTerms | null {
    const override = analyzers.get(name);
    if (override === undefined) {
      const { analyzer, positionGap } = mapped.field!;
      return termsOf(texts, analyzer, positionGap, budget);
    }
    // compat: an analyzer that there is not stands for the default one.
    const analyzer = mapping.analyzer(override) ?? indexService.analysis(metadata).defaultIndex;
    return termsOf(texts, analyzer, analyzer.positionGap, budget);
  }
}

function keepsTermVectors({ termVector }: MappedField): boolean {
  return termVector !== 'no';
}

/** Names that are asked for, with patterns resolved; null: none are. */
function namesOf(
  { fields }: TermVectorsRequest,
  mapping: IndexMapping,
): ReadonlySet<string> | null {
  if (fields === null) return null;
  const names = new Set<string>();
  const patterns = new PatternWork();
  for (const name of fields) {
    if (!name.includes('*')) {
      names.add(name);
      continue;
    }
    patterns.add(mapping.fieldCount);
    for (const { indexName } of mapping.match(name, [])) names.add(indexName);
  }
  return names;
}

/** The fields of a document that is not in the index, with all that is known of their terms. */
function artificial(
  request: TermVectorsRequest,
  mapping: IndexMapping,
  type: string,
  source: Buffer,
  isShown: (field: MappedField) => boolean,
): WantedField[] {
  const names = namesOf(request, mapping);
  const wanted: WantedField[] = [];
  for (const [name, { mapped, texts }] of indexedTexts(mapping, type, source)) {
    if (names === null ? isShown(mapped) : names.has(name)) {
      wanted.push({ name, mapped, texts, positions: true, offsets: true });
    }
  }
  return wanted;
}

/** The fields of a document that searches see. */
function stored(
  request: TermVectorsRequest,
  mapping: IndexMapping,
  record: LogRecord,
  now: number,
): WantedField[] {
  const { analyzers } = request;
  const wanted: WantedField[] = [];
  const names = namesOf(request, mapping);
  const generated = new Set<string>();
  const kept = new Set<string>();
  for (const [name, { mapped, texts }] of indexedTexts(mapping, record.type, record.source)) {
    if (!keepsTermVectors(mapped) || names?.has(name) === false) continue;
    kept.add(name);
    if (analyzers.has(name)) {
      generated.add(name);
      continue;
    }
    const { termVector = 'no' } = mapped;
    const positions = termVector.includes('positions');
    wanted.push({ name, mapped, texts, positions, offsets: termVector.includes('offsets') });
  }
  for (const name of names ?? []) if (!kept.has(name)) generated.add(name);
  for (const name of generated) {
    const mapped = mapping.find(name, [])?.mapped;
    if (!hasTerms(mapped) || mapped.indexName !== name) continue;
    if (keepsTermVectors(mapped) && !analyzers.has(name)) continue;
    const texts = sourceTexts(mapping, record, name, now);
    wanted.push({ name, mapped, texts, positions: true, offsets: true });
  }
  return wanted;
}

/** Frequencies and places of the terms of a field, and what searches know of them; null: nothing. */
function render(
  field: WantedField,
  { terms, tokens }: FieldTerms,
  figures: FieldFigures | null,
  request: TermVectorsRequest,
): JsonOutput {
  const rendered = new Map<string, JsonOutput>();
  const shown = new Map<string, JsonOutput>();
  if (request.fieldStatistics) {
    shown.set('field_statistics', {
      sum_doc_freq: figures === null ? terms.length : figures.sumDocFreq,
      doc_count: figures === null ? 1 : figures.docCount,
      sum_ttf: figures === null ? tokens : figures.sumTotalTermFreq,
    });
  }
  const positions = request.positions && field.positions;
  const offsets = request.offsets && field.offsets;
  for (const [term, places] of terms) {
    // A field that no document has had counts as that of this document alone.
    const alone = { docFreq: 1, totalTermFreq: places.length };
    const known = figures === null ? alone : figures.terms.get(term);
    const counted = request.termStatistics ? known : undefined;
    rendered.set(term, {
      doc_freq: counted?.docFreq,
      ttf: counted?.totalTermFreq,
      term_freq: places.length,
      tokens:
        positions || offsets
          ? places.map(({ position, startOffset, endOffset }) => ({
              position: positions ? position : undefined,
              start_offset: offsets ? startOffset : undefined,
              end_offset: offsets ? endOffset : undefined,
            }))
          : undefined,
    });
  }
  return shown.set('terms', rendered);
}

function failsAll(error: EngineError): boolean {
  return (
    error.wireName === 'IndexClosedException' ||
    error.wireName === 'CircuitBreakingException' ||
    error.message.startsWith('Alias [')
  );
}
