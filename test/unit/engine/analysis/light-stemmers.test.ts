// Light and minimal stemmers, and the Indic letters: answers of the reference server.

import { builtinTokenFilter } from '../../../../engine/analysis/builtin';
import { STEMMERS } from '../../../../engine/analysis/stemmers/names';
import { builtinAnalyzer } from '../../../../engine/analysis/builtin';
import { terms } from './support';

test.each([
  [
    'light_finnish',
    'talossammekin kaupungeissakaan ystävällinen opiskelijoiden taloihin kirjan yhteiskunnallinen kaunis lapsetkin mahdollisuuksien',
    'talossamm kaupungeissak ystavall opiskelijo talo kir yhteiskunnall kaun lapse mahdollisuuks',
  ],
  [
    'light_hungarian',
    'házakat gyerekeknek könyveim barátommal városban almával kerttel napként asztalaink',
    'haz gyerek konyv barat varos alm kert nap asztal',
  ],
  [
    'light_russian',
    'столами красивого читателями домов новыми машинах времени здании',
    'стол красив читател дом нов машин времен здан',
  ],
  [
    'light_swedish',
    'husen flickorna bilarnas vänligheten böckerna största händelser gammalt',
    'hus flick bilarn vänlig böck störst händ gammal',
  ],
  [
    'light_norwegian',
    'husene bilenes vennligheten hendelsene største rikdom barna snakkende',
    'hus bil vennlig hendels størs rik barn snakk',
  ],
  ['minimal_norwegian', 'husene bilenes barna vennlighet jenter', 'hus bil barn vennligh jent'],
  [
    'light_nynorsk',
    'jentane bilanes venleiken hendingar kjærleiken ungdom',
    'jent bil ven hending kjær ung',
  ],
  ['minimal_nynorsk', 'jentane bilar husene gutar', 'jent bil hus gut'],
  [
    'minimal_portuguese',
    'cães limões animais lápis papéis flores homens meses mães países',
    'cão limão animal lápis papel flor homem mese mãe paíse',
  ],
])('%s', (language, words, stems) => {
  const stem = STEMMERS.get(language)!;
  expect(words.split(' ').map(stem).join(' ')).toBe(stems);
});

test.each([
  ['Devanagari, three characters before two', '\u0905\u093e\u0945\u0905\u093e', '\u0911\u0906'],
  ['Bengali with a joiner', '\u09a4\u09cd\u200d\u09a4\u09cd', '\u09ce\u09a4\u09cd'],
  ['Malayalam', '\u0d46\u0d46\u0d28\u0d4d\u200d', '\u0d48\u0d7b'],
  ['others', 'abc \u0906', 'abc \u0906'],
])('indic_normalization: %s', (_what, text, expected) => {
  expect(builtinTokenFilter('indic_normalization')!.mapTerm!(text)).toBe(expected);
});

test('the hindi analyzer normalizes, drops stop words and stems', () => {
  expect(terms(builtinAnalyzer('hindi'), 'और किताबें हिन्दी')).toBe('किताब@2 हिंद@3');
});
