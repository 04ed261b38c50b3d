// The static site: every page is there, leads only where there is something, and runs no script.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

let site: string;
beforeAll(() => {
  site = mkdtempSync(join(tmpdir(), 'facetd-site-'));
  execFileSync(process.execPath, [join(ROOT, 'scripts/dev/site.mjs'), site]);
});
afterAll(() => rmSync(site, { recursive: true, force: true }));

const pages = (): string[] => readdirSync(site).filter((name) => name.endsWith('.html'));
const read = (name: string): string => readFileSync(join(site, name), 'utf8');

test('every page of docs/ is there, and in the menu', () => {
  const sources = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const index = read('index.html');
  for (const source of sources) {
    const page = source.replace(/\.md$/, '.html');
    expect(pages()).toContain(page);
    expect(index).toContain(`<li><a href="${page}">`);
  }
});

test('links and pictures lead to what is there', () => {
  for (const page of pages()) {
    for (const [, link = ''] of read(page).matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? join(site, page) : resolve(site, dirname(page), decodeURI(path));
      expect([page, link, existsSync(target)]).toEqual([page, link, true]);
      if (anchor === undefined) continue;
      expect([page, link, readFileSync(target, 'utf8').includes(` id="${anchor}"`)]).toEqual([
        page,
        link,
        true,
      ]);
    }
  }
});

test('nothing of a page runs or is loaded from elsewhere', () => {
  for (const page of pages()) {
    expect(read(page)).toContain(
      "content=\"default-src 'none'; style-src 'self'; img-src 'self'\"",
    );
    expect(read(page)).not.toMatch(/<script|<iframe| on\w+="/);
  }
});
