// The Krovetz stemmer: answers of the reference server.

import { builtinTokenFilter } from '../../../../engine/analysis/builtin';
import { krovetzLexicon } from '../../../../engine/analysis/stemmers/krovetz-lexicon';
import { STEMMERS } from '../../../../engine/analysis/stemmers/names';

const stem = STEMMERS.get('kstem')!;

test.each([
  [
    '-s',
    'dogs calories ponies skies aides crosses gas famous boxes potatoes glasses buses ies wolves',
    'dogs calorie pony sky aide cross gas famous box potato glasses bus ie wolve',
  ],
  [
    '-ed',
    'aided fled died married backfilled unfettered microcoded planned bathed decoupled untied xyzed',
    'aid flee die married backfill unfettered microcode plan bath decouple untie xyze',
  ],
  [
    '-ing',
    'aging thing microcoding planning fingerspelling footstamping king bathing sitting dying quitting',
    'age thing microcode plan fingerspell footstamp king bathing sitting die quit',
  ],
  [
    '-ity',
    'immunity capacity capability sensitivity legality xenolity',
    'immune capacity capability sensitivity legality xenol',
  ],
  ['-ness', 'happiness darkness xeniness', 'happiness dark xeny'],
  [
    '-ion',
    'organization definition adoration resignation complication amplification confusion station nation',
    'organization definition adoration resignation complication amplify confusion station nation',
  ],
  [
    '-er -or',
    'organizer runner happier career actor superior writer xenoer',
    'organize runner happy career actor superior writer xenoer',
  ],
  [
    '-ly',
    'gently conditionally probably militarily quickly family xenoly',
    'gently conditional probably military quick family xeno',
  ],
  [
    '-al',
    'optimal bibliographical mathematical colossal territorial formal xenoical',
    'optimum bibliography mathematics colossal territorial formal xenoic',
  ],
  [
    '-ive',
    'determinative injunctive active creative xenive',
    'determine injunction active creative xenive',
  ],
  [
    '-ize -ment -ble -ism',
    'crystallize realize government agreement adaptable controllable compensable edible tourism racism ament',
    'crystallize realize government agreement adaptable control compensate edible tourism rac ament',
  ],
  [
    '-ic -ncy -nce',
    'basic magnetic historic constituency redundancy adherence disappearance xenancy',
    'basic magnetic historic constituency redundancy adherence disappearance xenance',
  ],
  [
    'roots',
    'italians canadian french died lying mathematics political thai used',
    'italy canada france die lie mathematics politics thailand use',
  ],
])('%s', (_ending, words, stems) => {
  expect(words.split(' ').map(stem).join(' ')).toBe(stems);
});

test('the lexicon is decoded whole', () => {
  const lexicon = krovetzLexicon();
  expect(lexicon.root('aarhus')).toBe('aarhus');
  expect(lexicon.root('zulu')).toBe('zulu');
  expect(lexicon.root('italian')).toBe('italy');
  expect(lexicon.root('italia')).toBeUndefined();
  expect(lexicon.isException('aide')).toBe(true);
  expect(lexicon.isException('code')).toBe(false);
});

test('other than a-z, very short and very long terms stay', () => {
  const kept = ['us', "dog's", 'cafés', 'Running', 'dogs2', '', `${'x'.repeat(46)}ings`];
  expect(kept.map(stem)).toEqual(kept);
  expect(stem(`${'x'.repeat(48)}s`)).toBe('x'.repeat(48));
});

test('it goes by three names, and by its own as a filter', () => {
  expect(STEMMERS.get('light_english')).toBe(stem);
  expect(STEMMERS.get('lightenglish')).toBe(stem);
  expect(builtinTokenFilter('kstem')!.mapTerm!('microcoding')).toBe('microcode');
});
