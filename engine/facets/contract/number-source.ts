// Where facets get numbers from: the values of a field, or a script that gives one for each document.

import type { ValueExtent } from '../counting/bucketing';
import { ColumnReader, type NumberReader } from '../counting/number-reader';
import { WINDOW_DOCS } from '../counting/windows';
import type { JsonObject, JsonValue } from '../../json/index';
import { type ScriptName, planScript, type ScriptPlan } from '../../script/index';
import type { SegmentReader } from '../../segment/index';
import type { FacetCollector, FacetParseContext, FacetReads, ScoresOf } from './facet';
import { FacetScriptRun } from './facet-script';
import type { FieldId } from '../../metadata/index';

/** A script of a facet. Plain data. */
interface FacetScript {
  readonly plan: ScriptPlan;
  /** Epoch milliseconds that the script takes for the present. */
  readonly now: number;
}

/** Where numbers come from; field null: it indexes nothing. Plain data. */
export type NumberOrigin =
  | { readonly kind: 'field'; readonly field: FieldId | null }
  | { readonly kind: 'script'; readonly script: FacetScript };

/**
 * A script as a number for each document.
 *
 * @param body the facet's body, for `params` and the language
 * @param langNames how the member for the language may be called
 * @throws EngineError for scripts that do not exist or compile (400)
 */
export function scriptNumbers(
  name: ScriptName,
  body: JsonObject,
  context: FacetParseContext,
  langNames: readonly string[] = LANG_NAMES,
): NumberOrigin {
  const lang = langNames.map((member) => body.get(member)).find(isText) ?? null;
  const params = body.get('params') ?? null;
  const script = context.scripts.resolve({
    name,
    lang,
    params: params instanceof Map ? params : null,
  });
  context.meter.add('scripts', 1);
  return { kind: 'script', script: { plan: planScript(script, context), now: context.now } };
}

const LANG_NAMES: readonly string[] = ['lang', 'script_lang', 'scriptLang'];

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** What is known of a script's numbers beforehand. */
const UNKNOWN_EXTENT: ValueExtent = { min: NaN, max: NaN, valueCount: 0 };

/** Numbers of one shard's documents, segment by segment. */
export class NumberSource {
  private readonly run: FacetScriptRun | null;

  /** @param scoresOf for scripts that ask for scores */
  constructor(
    private readonly origin: NumberOrigin,
    scoresOf: ScoresOf,
  ) {
    this.run =
      origin.kind === 'script'
        ? new FacetScriptRun(origin.script.plan, origin.script.now, scoresOf)
        : null;
  }

  /** The numbers of a segment, until the next one is opened; null: there are none. */
  open(segment: SegmentReader): NumberReader | null {
    if (this.run !== null) {
      this.run.open(segment);
      return new ScriptReader(this.run);
    }
    const column = this.column(segment);
    return column === null ? null : new ColumnReader(column);
  }

  /** The numbers that a segment may have. */
  extent(segment: SegmentReader): ValueExtent {
    return this.column(segment) ?? UNKNOWN_EXTENT;
  }

  private column(segment: SegmentReader) {
    const { origin } = this;
    return origin.kind === 'script' || origin.field === null ? null : segment.numeric(origin.field);
  }
}

/** Runs a script for the documents of a window. */
class ScriptReader implements NumberReader {
  readonly values = new Float64Array(WINDOW_DOCS);
  readonly isComputed = true;
  readonly offsets = null;
  readonly present = null;
  readonly firstValue = 0;
  firstDoc = 0;

  constructor(private readonly run: FacetScriptRun) {}

  load(words: Uint32Array, from: number, to: number): void {
    const { values, run } = this;
    const { script } = run;
    const firstDoc = from << 5;
    this.firstDoc = firstDoc;
    for (let w = from; w < to; w++) {
      let word = words[w]!;
      while (word !== 0) {
        const bit = word & -word;
        const doc = (w << 5) + 31 - Math.clz32(bit);
        word ^= bit;
        run.seek(doc);
        values[doc - firstDoc] = script.number(doc);
      }
    }
  }
}

/** What a facet reads of the fields among some origins; null where one is a script. */
export function readsOf(
  origins: readonly (NumberOrigin | { readonly kind: 'none' | 'keys' })[],
): FacetReads | null {
  const fields: FieldId[] = [];
  for (const origin of origins) {
    if (origin.kind === 'script') return null;
    if (origin.kind === 'field' && origin.field !== null) fields.push(origin.field);
  }
  return { fields, queries: [] };
}

/** The same collector without remembering: scripts may depend on more than the documents. */
export function forgetful(collector: FacetCollector): FacetCollector {
  return {
    collect: (segment, docs) => collector.collect(segment, docs),
    partial: () => collector.partial(),
  };
}
