import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../../../engine/opensearch/counting/verdict';
import { clauseOf, type ClauseContext } from '../../../../engine/opensearch/queries/clause';
import { QUERY_VERDICTS, SEARCH_VERDICTS } from '../../../../engine/opensearch/search/verdicts';
import type { Query } from '../../../../engine/query/index';
import { packageFolder } from '../../../../scripts/common/package-folder';

const context: ClauseContext = {
  mapping: { nestedObject: () => null },
  kindOf: () => null,
  path: null,
};

/** Kinds that are others before they are asked: the shard's terms or relatives stand in their place. */
const SETTLED_BEFORE = ['blended', 'commonTerms', 'similar', 'fuzzyWords', 'hasChild', 'hasParent'];

function refusal(kind: string): string | null {
  try {
    clauseOf({ kind, minScore: null } as unknown as Query, context);
    return null;
  } catch (error) {
    const text = String(error);
    return text.includes('is not supported by the OpenSearch backend') ? text : null;
  }
}

test.each(Object.entries(QUERY_VERDICTS))('what is said of a %s query is so', (kind, verdict) => {
  const isRefused = refusal(kind) !== null;
  expect(isRefused).toBe(verdict.is === 'refused' || SETTLED_BEFORE.includes(kind));
  if (verdict.is === 'refused') expect(refusal(kind)).toContain(verdict.but);
});

test('the documentation says the same', () => {
  const file = join(packageFolder(), 'docs', 'opensearch-searches.md');
  const text = readFileSync(file, 'utf8').replace(/ +/g, ' ');
  const rows = text.split('\n');
  const told = (names: readonly (readonly [string, Verdict])[]): string[] =>
    names.map(([name, { is, but }]) => `| ${name} | ${is} | ${but ?? '–'} |`);
  const kinds = Object.entries(QUERY_VERDICTS).map(([kind, is]) => [`\`${kind}\``, is] as const);
  expect(rows).toEqual(expect.arrayContaining(told(kinds)));
  expect(rows).toEqual(expect.arrayContaining(told(Object.entries(SEARCH_VERDICTS))));
});
