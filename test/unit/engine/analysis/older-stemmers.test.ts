// Stemmers for Dutch, English, French, Galician, German, Greek and Portuguese with an algorithm of their own,
// and Snowball's where they were others in 2013: answers of the reference server.

import { builtinAnalyzer, builtinTokenFilter } from '../../../../engine/analysis/builtin';
import { STEMMERS } from '../../../../engine/analysis/stemmers/names';
import { registryOf, terms } from './support';

test.each([
  [
    'kp',
    'gelopen opgegeven huizen vervelende mogelijkheden kindertjes bloemetje lopers grootste belachelijk aardigste yoghurt koninginnen gebeurtenissen werkzaamheid',
    'loop opgeef huis verveel molijk kinder bloem loper grootst belachelijk aard yoghurt koningin beurtenis werkzaam',
  ],
  [
    'lovins',
    'running admit pressed matrix vervelend conclud fruit pend send',
    'running admis pressed matric vervelens conclus fruit pens send',
  ],
  [
    'portuguese_rslp',
    'cidades rapidamente meninas casarões trabalhadores cantaríamos amáveis terribilíssimo experimente aliás jegue canção',
    'cidad rap menin cas trabalh cant am terrivel experim alias jegu cancao',
  ],
  [
    'galician',
    'cidades rapazas cans homazos traballadores cantariamos amábeis imposible garagem azougue colheres',
    'cid rapaz can homaz traball cant am imposibel garax azougu coll',
  ],
  [
    'minimal_galician',
    'cans cidades luces animás luns papéis martes',
    'can cidade luz animal lun papel martes',
  ],
  [
    'greek',
    'ανθρωποσ σπιτια καθεστωτοσ μαμαδεσ αρκουδεσ παιδικα ουντανε αγαμε αρχοντασ κρεοντασ ονομαστε ματων μεγαλυτερ φιλησουνε',
    'ανθρωπ σπιτ καθεστ μαμ αρκουδ παιδ  αγαμ αρχοντ κρεωντ ονομαστ ματ μεγαλ φιλ',
  ],
  [
    'german_stem',
    'Häuser sängerinnen kaufst straße matrizen gegeben menschliche tschechisch äpfel laufend abc1',
    'hau sangeri kaufst strass matrix geb menschlich tschechisch apfel lauf abc1',
  ],
  [
    'french_stem',
    'continuellement quelques employés majestueuse nécessités chevaux yeux longuement activité rageuse parlaient ennuyer argüë cigarette',
    'continuel qUelqU emploi majestu nécess cheval Yeux longu activ rageux parl ennui argüë cigaret',
  ],
  [
    'german',
    'ergebnisse verhältnissen bedürfnisses geheimnis nißes wissen häuser',
    'ergebniss verhaltniss bedurfniss geheimnis niss wiss haus',
  ],
  ['german2', 'gestaendnisse geheimnissen', 'gestandniss geheimniss'],
  [
    'portuguese',
    'revolução revoluções revolución revoluciones ução aução nações constituição',
    'revoluçã revoluçõ revolu revolu uçã auçã naçõ constituiçã',
  ],
  [
    'finnish',
    'asioiden omenoiden huoneeseen suomalaisiin pienten naisten handssiin jämlöpandden tytärten fackområdessaidenpä kaupunkien ombytden metsitten',
    'asioid omenoid huonees suomalais pient naist hands jämlöpand tytärt fackområdessaid kaupunk ombytd metsit',
  ],
  // What stands for letters inside is nothing special in a text.
  ['finnish', 'asia\ue000', 'asia\ue000'],
  ['german', 'haus\ue000', 'haus\ue000'],
])('%s', (name, words, stems) => {
  const stem = STEMMERS.get(name) ?? builtinTokenFilter(name)!.mapTerm!;
  expect(words.split(' ').map(stem).join(' ')).toBe(stems);
});

test.each([
  ['greek', 'Ο Άνθρωπος και τα ΣΠΊΤΙΑ σας, παιδικών', 'ανθρωπ@2 σπιτ@5 σασ@6 παιδ@7'],
  ['galician', 'Os cans e as mulleres das cidades', 'can@2 mull@5 cid@7'],
])('the %s analyzer', (name, text, expected) => {
  expect(terms(builtinAnalyzer(name), text)).toBe(expected);
});

test('the greek analyzer knows no words that are not stemmed, as other languages do', () => {
  const analysis = { analyzer: { g: { type: 'greek', stem_exclusion: ['σπιτια'] } } };
  expect(terms(registryOf(analysis).analyzer('g'), 'Σπίτια')).toBe('σπιτ@1');
});

test('dutch_stem and german_stem lower their words, and keep those with other than letters', () => {
  const dutch = builtinTokenFilter('dutch_stem')!.mapTerm!;
  const words = ['Aanspanning', 'diepzinnig', 'CLIFFS', 'dalí', '10-Jarigen'];
  expect(words.map(dutch)).toEqual(['aanspan', 'diepzinn', 'cliff', 'dalí', '10-jarigen']);
  expect(builtinTokenFilter('german_stem')!.mapTerm!('U.S.A')).toBe('u.s.a');
});

test('minimal_french undoubles whatever stands at the end, and takes an x off', () => {
  const stem = STEMMERS.get('minimal_french')!;
  expect(['modèle500', 'chevaux', 'heureux'].map(stem)).toEqual(['modèle50', 'cheval', 'heureu']);
});

test('dictionary_decompounder tells capitals from small letters', () => {
  const analysis = {
    filter: { d: { type: 'dictionary_decompounder', word_list: ['Donau', 'dampf'] } },
    analyzer: { a: { type: 'custom', tokenizer: 'whitespace', filter: ['d'] } },
  };
  expect(terms(registryOf(analysis).analyzer('a'), 'donaudampf DonauDampf')).toBe(
    'donaudampf@1 dampf@1 DonauDampf@2 Donau@2',
  );
});

test('words of any length and of letters that no algorithm knows', () => {
  const texts = ['', 'a', '日本', 'x'.repeat(5000), 'e'.repeat(5000), 'y'.repeat(3000), '\ud83d'];
  for (const name of ['galician', 'greek', 'kp', 'kstem', 'lovins', 'portuguese_rslp']) {
    for (const text of texts) expect(STEMMERS.get(name)!(text).length).toBeLessThan(5002);
  }
  for (const name of ['french_stem', 'german_stem']) {
    for (const text of texts) {
      expect(builtinTokenFilter(name)!.mapTerm!(text)!.length).toBeLessThan(5002);
    }
  }
});
