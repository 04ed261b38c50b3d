// The pattern_replace character filter: replaces what a regular expression matches.

import { illegalArgument } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import type { CharFilter } from '../chain/components';
import { compilePattern } from '../regex/pattern';
import { Replacement, replacementError } from '../regex/replacement';
import { ReplacedText } from './replaced-text';

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
      applyTo: (text) => ({ text, originalOffset: (offset) => offset }),
    };
  }
  const template = new Replacement(replacement, pattern.groupCount);
  return {
    name,
    expand: template.grows ? (volume) => template.expandVolume(volume) : undefined,
    applyTo: (text, budget) => {
      const matcher = pattern.matcher(text, budget);
      if (!matcher.find()) return { text, originalOffset: (offset) => offset };
      const result = new ReplacedText(text);
      do {
        result.replace(matcher.start(0), matcher.end(0), template.expand(matcher, text, budget));
      } while (matcher.find());
      return result.result();
    },
  };
}
