// Filters that stem: stemmer and snowball with their languages, and those named after one stemmer.

import { EngineError } from '../../errors';
import type { ComponentSettings } from '../chain/component-settings';
import { faultyFilter, stemFilter, termFilter, type TokenFilter } from '../chain/components';
import { possessiveEnglish } from '../stemmers/english';
import { SNOWBALL_STEMMERS, STEMMERS } from '../stemmers/names';
import type { Stemmer } from '../stemmers/stemmer';

/** From settings: `language` (or `name`), `porter` when neither is given. */
export function createStemmerFilter(name: string, settings: ComponentSettings): TokenFilter {
  const language = settings.text('language') ?? settings.text('name') ?? 'porter';
  const key = language.toLowerCase();
  if (key === 'possessive_english' || key === 'possessiveenglish') {
    return termFilter(name, possessiveEnglish);
  }
  const stem = STEMMERS.get(key);
  return stem === undefined ? snowballByName(name, language) : stemFilter(name, stem);
}

/** From settings: `language` (or `name`), `English` when neither is given. */
export function createSnowballFilter(name: string, settings: ComponentSettings): TokenFilter {
  const language = settings.text('language') ?? settings.text('name') ?? 'English';
  return snowballByName(name, language.slice(0, 1).toUpperCase() + language.slice(1));
}

/** @param language a name as Snowball's classes have it: `English`, `German2` */
export function snowballByName(name: string, language: string): TokenFilter {
  const stem = SNOWBALL_STEMMERS.get(language);
  if (stem !== undefined) return stemFilter(name, stem);
  return faultyFilter(name, { setting: 'language', error: unknownLanguage(language) });
}

function unknownLanguage(language: string): EngineError {
  return new EngineError(
    'IllegalArgumentException',
    `Invalid stemmer class specified: ${language}`,
    {
      cause: new EngineError(
        'ClassNotFoundException',
        `org.tartarus.snowball.ext.${language}Stemmer`,
      ),
    },
  );
}

/** A filter that always uses one stemmer. */
export function fixedStemFilter(stem: Stemmer): (name: string) => TokenFilter {
  return (name) => stemFilter(name, stem);
}
