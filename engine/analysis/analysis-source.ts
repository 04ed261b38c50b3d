// The analysis components of an index on the thread that runs a plan, which has no mapping: the plan brings
// the settings, and each thread builds them once and keeps them.

import type { FlatSettings } from './chain/component-settings';
import { ANALYSIS_PREFIX, type AnalysisRegistry, buildAnalysis } from './registry';

/** Settings from which the analysis components of an index are built: plain data, part of plans. */
export interface AnalysisSource {
  /** Differs where settings differ. */
  readonly key: string;
  readonly settings: FlatSettings;
}

/** Sources by the settings they were taken from, which stay the same object while they are not changed. */
const SOURCES = new WeakMap<FlatSettings, AnalysisSource>();
let sources = 0;

/** The source of an index. Called on the main thread only, which alone gives keys out. */
export function analysisSource(index: {
  readonly uuid: string;
  readonly settings: FlatSettings;
}): AnalysisSource {
  const { uuid, settings } = index;
  let source = SOURCES.get(settings);
  if (source === undefined) {
    const own = new Map([...settings].filter(([name]) => name.startsWith(ANALYSIS_PREFIX)));
    source = { key: own.size === 0 ? '' : `${uuid}/${++sources}`, settings: own };
    SOURCES.set(settings, source);
  }
  return source;
}

/** Indices whose components a thread keeps. */
const MAX_KEPT = 64;

const kept = new Map<string, AnalysisRegistry>();

/** The components that a source defines, and the built-in ones. */
export function registryOf({ key, settings }: AnalysisSource): AnalysisRegistry {
  let registry = kept.get(key);
  if (registry === undefined) {
    registry = buildAnalysis(settings);
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!);
    kept.set(key, registry);
  }
  return registry;
}
