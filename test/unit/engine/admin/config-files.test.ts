import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readConfiguredDefaults } from '../../../../engine/admin/config-files';
import { readSections } from '../../../../engine/admin/create-index';
import { applyTemplates, NO_DEFAULTS, parseTemplate } from '../../../../engine/metadata/templates';
import { EMPTY_STATE, putTemplate } from '../../../../engine/metadata/changes';
import { writeJson } from '../../../../engine/json/write';
import { json } from '../metadata/support';
import { SILENT_LOGGER } from '../../../../engine/common/logger';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facetd-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function file(path: string, content: string): Promise<void> {
  const full = join(folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content);
}

test('a missing folder gives nothing', async () => {
  const none = await readConfiguredDefaults(join(folder, 'missing'), SILENT_LOGGER);
  expect([none.templates.size, none.mappings.size]).toEqual([0, 0]);
});

test('templates and mappings of files take part, the request and stored templates first', async () => {
  await file(
    'templates/logs.json',
    '{"template":"log*","order":1,"settings":{"a":"file","b":"file"}}',
  );
  await file('templates/wrapped.json', '{"inner":{"template":"*","settings":{"c":"wrapped"}}}');
  await file('mappings/log1/t.json', '{"t":{"properties":{"own":{"type":"long"}}}}');
  await file(
    'mappings/_default/t.json',
    '{"properties":{"own":{"type":"string"},"all":{"type":"date"}}}',
  );
  await file('templates/broken.json', '{');
  const warnings: string[] = [];
  const logger = { ...SILENT_LOGGER, warn: (_: object, text: string) => warnings.push(text) };
  const configured = await readConfiguredDefaults(folder, logger);
  expect([...configured.templates.keys()]).toEqual(['logs', 'inner']);
  expect(warnings).toEqual(['configuration file left out']);
  const stored = parseTemplate(
    's',
    json({ template: 'log1', order: 2, settings: { a: 'stored' } }),
  );
  const sections = applyTemplates(
    putTemplate(EMPTY_STATE, 's', stored),
    configured,
    'log1',
    readSections(json({ settings: { d: 'request' } })),
  );
  expect(Object.fromEntries(sections.settings)).toEqual({
    'index.a': 'stored',
    'index.b': 'file',
    'index.c': 'wrapped',
    'index.d': 'request',
  });
  expect(writeJson(sections.mappings)).toBe(
    '{"t":{"properties":{"own":{"type":"long"},"all":{"type":"date"}}}}',
  );
});

test('lists of dynamic templates are merged by name, other lists are joined', () => {
  const template = parseTemplate(
    's',
    json({
      template: '*',
      mappings: {
        t: {
          dynamic_templates: [
            { a: { match: 'x', mapping: { type: 'long' } } },
            { b: { match: 'y' } },
          ],
          _source: { excludes: ['p', 'q'] },
        },
      },
    }),
  );
  const { mappings } = applyTemplates(
    putTemplate(EMPTY_STATE, 's', template),
    NO_DEFAULTS,
    'i',
    readSections(
      json({
        mappings: {
          t: {
            t: { dynamic_templates: [{ a: { match: 'z' } }], _source: { excludes: ['q', 'r'] } },
          },
        },
      }),
    ),
  );
  expect(writeJson(mappings)).toBe(
    '{"t":{"dynamic_templates":[{"a":{"match":"z","mapping":{"type":"long"}}},{"b":{"match":"y"}}],' +
      '"_source":{"excludes":["p","q","r"]}}}',
  );
});

test('scripts of files are named after their folders; what does not compile is left out', async () => {
  await file('scripts/twice.groovy', "doc['n'].value * 2");
  await file('scripts/a/b/deep.mvel', '1 + 1');
  await file('scripts/half.expression', "doc['n'].value / 2");
  await file('scripts/broken.groovy', '1 +* (');
  await file('scripts/other.py', '1');
  // Anybody may have written it.
  await file('scripts/open.groovy', '1');
  await chmod(join(folder, 'scripts/open.groovy'), 0o666);
  const warnings: string[] = [];
  const logger = { ...SILENT_LOGGER, warn: (_: object, text: string) => warnings.push(text) };
  const { scripts } = await readConfiguredDefaults(folder, logger);
  expect([...scripts].map(([lang, sources]) => [lang, [...sources]])).toEqual([
    ['groovy', [['twice', "doc['n'].value * 2"]]],
    ['mvel', [['a_b_deep', '1 + 1']]],
    ['expression', [['half', "doc['n'].value / 2"]]],
    ['mustache', []],
  ]);
  expect(warnings).toEqual(['configuration file left out', 'configuration file left out']);
});
