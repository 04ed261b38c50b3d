// Templates: what values mean and how they are written, and what a hostile one may not do. The results are
// those of the reference server.

import { EngineError } from '../../../../engine/errors';
import { parseJsonObject } from '../../../../engine/json/index';
import { parseTemplate } from '../../../../engine/script/template/parse-template';
import { renderTemplate, TemplateBudget } from '../../../../engine/script/template/render-template';
import { templateBehind } from '../../../../engine/script/template/template-request';

const PARAMS =
  parseJsonObject(`{"s":"a\\"b\\\\c\\n€","i":5,"d":1.5,"big":1e10,"t":true,"f":false,"n":null,
  "e":"","z":0,"list":["x","y"],"el":[],"o":{"a":1,"b":{"c":"deep"}},"eo":{},"lo":[{"k":1},{"k":2}],
  "a.b":"dotted","nest":[[1,2],[3]],"nulls":[null,false,""],"i i":3,"__proto__":"p","shadow":{"i":null}}`);

function render(template: string): string {
  return renderTemplate(parseTemplate(template), PARAMS, new TemplateBudget());
}

test.each([
  ['{{s}}', 'a\\"b\\\\c\\n€'],
  ['{{{s}}}', 'a"b\\c\n€'],
  ['{{&s}}', 'a"b\\c\n€'],
  ['{{ i }}{{d}}{{big}}{{t}}{{f}}', '51.51.0E10truefalse'],
  ['[{{n}}{{e}}{{missing}}{{o.missing.x}}]', '[]'],
  ['{{list}}{{o}}{{el}}{{eo}}', '[x, y]{a=1, b={c=deep}}[]{}'],
  ['{{o.b.c}}', 'deep'],
  ['{{a.b}}{{list.0}}{{i.x}}', ''],
  ['{{list.size}}{{o.size}}{{e.length}}', '20'],
  ['{{#t}}T{{/t}}{{#z}}Z{{/z}}{{#i}}{{.}}{{/i}}{{#eo}}O{{/eo}}', 'TZ5O'],
  ['{{#f}}F{{/f}}{{#n}}N{{/n}}{{#e}}E{{/e}}{{#el}}L{{/el}}{{#missing}}M{{/missing}}', ''],
  ['{{^f}}F{{/f}}{{^n}}N{{/n}}{{^e}}E{{/e}}{{^el}}L{{/el}}{{^missing}}M{{/missing}}', 'FNELM'],
  ['{{^t}}T{{/t}}{{^z}}Z{{/z}}{{^eo}}O{{/eo}}', ''],
  ['{{#list}}[{{.}}]{{/list}}', '[x][y]'],
  ['{{#lo}}{{k}}{{i}},{{/lo}}', '15,25,'],
  ['{{#nest}}({{#.}}{{.}}{{/.}}){{/nest}}', '(12)(3)'],
  ['{{#nulls}}x{{/nulls}}', 'xxx'],
  ['{{#o}}{{#b}}{{c}}{{a}}{{/b}}{{/o}}', 'deep1'],
  ['{{#shadow}}[{{i}}]{{/shadow}}', '[]'],
  ['{{missing}}{{^missing}}6{{/missing}}', '6'],
  ['{{! comment }}{{=<% %>=}}<%i%>{{i}}', '5{{i}}'],
  ['{{i i}}{{__proto__}}{{constructor}}{{o.constructor}}', '3p'],
  ['{ {i}} }}', '{ {i}} }}'],
])('%s', (template, text) => {
  expect(render(template)).toBe(text);
});

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return `${error.status} ${error.toWireString()}`;
    throw error;
  }
  throw new Error('it succeeded');
}

test.each([
  ['{{i', '500 MustacheException[Improperly closed variable in query-template:1]'],
  ['{{#i}}x', "500 MustacheException[Failed to close 'i' tag at line 1]"],
  ['{{/i}}', '500 MustacheException[Mismatched start/end tags: null != i in query-template:1]'],
  ['{{>../../etc/passwd}}', "500 MustacheException[Template '../../etc/passwd' not found]"],
  ['{{=a=}}', '500 MustacheException[Invalid delimiter string]'],
])('%s is refused', (template, error) => {
  expect(failureOf(() => render(template))).toBe(error);
});

describe('limits', () => {
  test.each([
    ['length', 'x'.repeat(131_073), /longer than \[131072\]/],
    ['blanks in a row', `{{x${' '.repeat(257)}`, /more than \[256\] blanks/],
    ['depth', '{{#t}}'.repeat(102) + '{{/t}}'.repeat(102), /deeper than \[100\]/],
    // Each section doubles what is inside.
    ['pieces', '{{#list}}'.repeat(60) + '{{/list}}'.repeat(60), /more than \[500000\] pieces/],
    [
      'what it renders to',
      '{{#list}}'.repeat(15) + 'x'.repeat(1000) + '{{/list}}'.repeat(15),
      /more than \[10485760\] characters/,
    ],
  ])('%s', (_, template, error) => {
    expect(failureOf(() => render(template))).toMatch(error);
  });

  test('templates of a request share them', () => {
    const budget = new TemplateBudget();
    const nodes = parseTemplate('x'.repeat(100_000));
    expect(
      failureOf(() => {
        for (let i = 0; i < 106; i++) renderTemplate(nodes, PARAMS, budget);
      }),
    ).toMatch(/characters/);
  });
});

describe('what an inline template of a search stands for', () => {
  test.each([
    ['{"size":0}', 'inline'],
    ['{"id":"s"}', 'stored'],
    ['{"size":0,"file":"s"}', 'file'],
    ['{"id":"s","query":{}}', 'inline'],
    ['{"filter":{"term":{"id":5}}}', 'inline'],
    ['name', 'file'],
    ['{"facets":{}, {{rest}}', 'inline'],
  ])('%s', (text, kind) => {
    expect(templateBehind(text).kind).toBe(kind);
  });

  test('it has to be JSON before it is rendered', () => {
    expect(failureOf(() => templateBehind('{"size":{{s}}}'))).toMatch(/^500 JsonParseException/);
  });
});
