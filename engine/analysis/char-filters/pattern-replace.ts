// The pattern_replace character filter: replaces what a regular expression matches.

import { illegalArgument } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import type { CharFilter } from '../chain/components';
import { compilePattern } from '../regex/pattern';
import { Replacement, replacementError } from '../regex/replacement';
import { OffsetMap } from './offset-map';

/**
 * From settings: `pattern`, `replacement` (empty).
 * @throws EngineError ElasticsearchIllegalArgumentException without a pattern, PatternSyntaxException
 */
export function createPatternReplaceCharFilter(
  name: string,
  settings: ComponentSettings,
): CharFilter {
  const source = settings.text('pattern');
  if (source === undefined) {
    throw illegalArgument(`pattern is missing for [${name}] char filter of type 'pattern_replace'`);
  }
  const pattern = compilePattern(source, null);
  const replacement = settings.text('replacement') ?? '';
  const error = replacementError(replacement, pattern.groupCount);
  if (error !== null) {
    return {
      name,
      fault: { setting: 'replacement', error, isHarmless: true },
      apply: (text) => ({ text, originalOffset: (offset) => offset }),
    };
  }
  const template = new Replacement(replacement, pattern.groupCount);
  return {
    name,
    expand: (volume) => template.expandVolume(volume),
    apply: (text) => {
      const matcher = pattern.matcher(text);
      if (!matcher.find()) return { text, originalOffset: (offset) => offset };
      const offsets = new OffsetMap();
      let result = '';
      let copied = 0;
      do {
        const start = matcher.start(0);
        const end = matcher.end(0);
        result += text.slice(copied, start);
        const put = template.expand(matcher, text);
        addDifference(offsets, result.length, end - start, put.length);
        result += put;
        copied = end;
      } while (matcher.find());
      return offsets.result(result + text.slice(copied));
    },
  };
}

/** A shorter replacement ends where its match does; what a longer one has in excess stands at the end. */
function addDifference(offsets: OffsetMap, at: number, matched: number, put: number): void {
  if (put < matched) offsets.add(at + put, offsets.lastDifference + matched - put);
  for (let i = matched; i < put; i++) offsets.add(at + i, offsets.lastDifference - 1);
}
