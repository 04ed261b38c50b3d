// The dashboard and the alert rules ask for metrics and labels that a node really shows, and docs/metrics.md
// lists all of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { createTestApp } from '../../support/app';
import { parsePrometheus, type ParsedFamily } from '../../support/prometheus';
import request from 'supertest';
import { INDEX_METRICS } from '../../../server/stats/index-metrics';
import { NODE_METRICS } from '../../../server/stats/metrics';
import { ROUTE_FAMILIES } from '../../../server/request/route-family';

const ROOT = join(__dirname, '..', '..', '..');
const METRICS = [...NODE_METRICS, ...INDEX_METRICS];

/** Values of labels that are there once there is such a request or such a limit. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  family: ROUTE_FAMILIES,
  outcome: ['2xx', '4xx', '5xx', 'aborted'],
  kind: ['process'],
};

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly {
    readonly expr: string;
    readonly datasource: { readonly uid: string };
  }[];
}

interface Dashboard {
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string }[];
  };
}

interface Rules {
  readonly groups: readonly {
    readonly name: string;
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly labels: { readonly severity: string };
      readonly annotations: { readonly summary: string };
    }[];
  }[];
}

const dashboard = JSON.parse(
  readFileSync(join(ROOT, 'config', 'grafana-dashboard.json'), 'utf8'),
) as Dashboard;
const rules = (
  parse(readFileSync(join(ROOT, 'config', 'alerts.yml'), 'utf8')) as Rules
).groups.flatMap((group) => group.rules);

const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const expressions = [
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...rules.map(({ expr }) => expr),
];

let families: ReadonlyMap<string, ParsedFamily>;
beforeAll(async () => {
  const app = await createTestApp({ 'node.workers': '1' });
  families = parsePrometheus((await request(app.handler).get('/_metrics?level=indices')).text);
  await app.close();
});

/** The metric that a name in an expression is of. */
function familyOf(name: string): ParsedFamily | undefined {
  const histogram = families.get(name.replace(/_(bucket|sum|count)$/, ''));
  return histogram?.type === 'histogram' ? histogram : families.get(name);
}

test('every metric and label that they ask for exists', () => {
  let selectors = 0;
  for (const expression of expressions) {
    const found = [...expression.matchAll(/\b(facetd_\w+)(?:\{([^}]*)\})?/g)];
    expect([expression, found.length > 0]).toEqual([expression, !expression.startsWith('up{')]);
    for (const [, name = '', selector = ''] of found) {
      const family = familyOf(name);
      if (family === undefined) throw new Error(`${name} of ${expression} does not exist`);
      const isHistogram = family.type === 'histogram';
      expect([name, /_(bucket|sum|count)$/.test(name)]).toEqual([name, isHistogram]);
      for (const [, label = '', values = ''] of selector.matchAll(/(\w+)=~?"([^"]*)"/g)) {
        if (label === 'instance') continue;
        selectors++;
        const known = new Set(family.samples.map(({ labels }) => labels.get(label)));
        const later = LATER[label] ?? [];
        for (const value of values.split('|')) {
          if (!known.has(value) && !later.includes(value)) {
            throw new Error(`${name} has no ${label} ${value}`);
          }
        }
      }
    }
  }
  expect(expressions.length).toBeGreaterThan(50);
  expect(selectors).toBeGreaterThan(10);
});

test('alerts have names, severities and texts', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Facetd[A-Z]\w+$/);
    expect(['warning', 'critical']).toContain(labels.severity);
    expect(annotations.summary).toContain('$labels.instance');
  }
});

test('the dashboard can be imported anywhere', () => {
  expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['instance', 'query'],
  ]);
  for (const { targets = [] } of panels) {
    expect(targets.length).toBeGreaterThan(0);
    for (const { datasource } of targets) expect(datasource.uid).toBe('${datasource}');
  }
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // No two panels overlap.
  const cells = new Set<string>();
  for (const { title, gridPos } of dashboard.panels) {
    const { x, y, w, h } = gridPos;
    expect(x + w).toBeLessThanOrEqual(24);
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        const cell = `${column}/${line}`;
        if (cells.has(cell)) throw new Error(`${title} lies over another panel`);
        cells.add(cell);
      }
    }
  }
});

test('docs/metrics.md lists every metric with its type, labels and meaning', () => {
  const page = readFileSync(join(ROOT, 'docs', 'metrics.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| `(facetd_\w+)` *\| (\w+) *\| ([^|]*?) *\| (.*?) *\|$/gm)].map(
      ([, name = '', type, labels = '', help]) => [name, { type, labels, help }],
    ),
  );
  expect([...rows.keys()]).toEqual(METRICS.map(({ name }) => name));
  for (const { name, type, help } of METRICS) {
    expect(rows.get(name)).toMatchObject({ type, help });
    const listed = [...rows.get(name)!.labels.matchAll(/`(\w+)`/g)].map(([, label]) => label);
    const seen = new Set(families.get(name)!.samples.flatMap(({ labels }) => [...labels.keys()]));
    seen.delete('le');
    for (const label of seen)
      expect([name, listed]).toEqual([name, expect.arrayContaining([label])]);
  }
});
