// `script_fields` of hits: scripts are bound once and opened when the segment changes.

import { EngineError } from '../../errors';
import type { JsonOutput } from '../../json/index';
import { bindScript, toOutput, type BoundScript } from '../../script/index';
import type { SegmentReader } from '../../segment/index';
import type { ScriptField } from '../plan/search-plan';

/** Runs the `script_fields` of a search on its hits. */
export class ScriptFields {
  private readonly bound: readonly { readonly field: ScriptField; readonly script: BoundScript }[];
  private segment: SegmentReader | null = null;

  /** @throws EngineError when a script does not compile */
  constructor(fields: readonly ScriptField[]) {
    this.bound = fields.map((field) => ({
      field,
      script: bindScript(field.plan, { now: field.now }),
    }));
  }

  /**
   * Adds the results for a document, behind other values of the same name.
   *
   * @throws EngineError GroovyScriptExecutionException, unless failures of the field are ignored
   */
  addTo(fields: Map<string, JsonOutput>, segment: SegmentReader, doc: number): void {
    const isNew = this.segment !== segment;
    this.segment = segment;
    for (const { field, script } of this.bound) {
      if (isNew) script.open(segment);
      try {
        const value = toOutput(script.value(doc));
        const before = fields.get(field.name);
        fields.set(
          field.name,
          Array.isArray(before) ? [...(before as JsonOutput[]), value] : [value],
        );
      } catch (error) {
        if (!(error instanceof EngineError) || !field.ignoreFailure) throw error;
      }
    }
  }
}
