// What the reference server makes of the Lovins stemmer: the conditions under which an ending may be taken
// off never hold there, so that only what follows is left of it: a doubled consonant at the end becomes one,
// and some endings of stems are spelled alike.

import { remembering, type Stemmer } from './stemmer';
import { findRule, suffixRules } from './suffixes';

const SPELLINGS = suffixRules(
  '0 iev:ief uct:uc umpt:um rpt:rb urs:ur istr:ister metr:recorder olv:olut bex:bic dex:dic pex:pic tex:tic',
  '0 lux:luc ax:ac ex:ec ix:ic uad:uas vad:vas cid:cis lid:lis erid:eris pand:pans end:ens ond:ons',
  '0 lud:lus rud:rus her:hes mit:mis ent:ens ert:ers et:es yt:ys yz:ys ul:l',
);

/** Letters before which an ending keeps its spelling. */
const KEPT_AFTER: ReadonlyMap<string, string> = new Map([
  ['ul', 'aio'],
  ['end', 's'],
  ['her', 'pt'],
  ['ent', 'm'],
  ['et', 'n'],
]);

/** compat: stems nothing but the spelling of what would be a stem. */
export const lovinsStemmer: Stemmer = remembering((term) => {
  const stem = /(?:bb|dd|gg|ll|mm|nn|pp|rr|ss|tt)$/.test(term) ? term.slice(0, -1) : term;
  const rule = findRule(SPELLINGS, stem);
  if (rule === undefined) return stem;
  const rest = stem.slice(0, -rule.suffix.length);
  const kept = KEPT_AFTER.get(rule.suffix) ?? '';
  return rest !== '' && kept.includes(rest.at(-1)!) ? stem : rest + rule.replacement;
});
