// Makes a static site of docs/, README.md and the other pages: plain HTML with a style sheet, which needs no
// server and no script.
//
//   npm run site [-- FOLDER]          FOLDER is site/ unless it is given
//
// A link or an anchor that leads nowhere ends it with its name.

import MarkdownIt from 'markdown-it';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Pages in the order of the menu, by heading. What docs/ has besides stands under the last one. */
const MENU = {
  Start: ['README.md', 'docs/from-elasticsearch.md', 'docs/import.md', 'docs/explorer.md'],
  Use: [
    'docs/facets-cookbook.md',
    'docs/facets.md',
    'docs/facet-types.md',
    'docs/aliases.md',
    'docs/reindexing.md',
    'docs/analysis.md',
    'docs/expressions.md',
  ],
  Run: [
    'docs/operations.md',
    'docs/configuration.md',
    'docs/security.md',
    'docs/snapshots.md',
    'docs/metrics.md',
    'docs/limits.md',
    'docs/opensearch.md',
  ],
  'Look up': ['docs/compatibility.md', 'docs/routes.md', 'docs/glossary.md', 'CHANGELOG.md'],
  Inside: ['RESILIENCY.md', 'SECURITY.md', 'CONTRIBUTING.md', 'THIRD_PARTY.md'],
};

/** Pages beside docs/ whose names mean something else there. */
const NAMES = { 'README.md': 'index.html', 'SECURITY.md': 'security-policy.html' };

/** Where a file of the sources stands in the site. */
function pathOf(source) {
  const path = source.replace(/^docs\//, '').toLowerCase();
  return NAMES[source] ?? path.replace(/\.md$/, '.html');
}

/** The anchor of a heading, as GitHub makes it. */
function slug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** All pages in the order of the menu. */
function sources() {
  const listed = Object.values(MENU)
    .flat()
    .filter((page) => existsSync(join(ROOT, page)));
  const others = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .filter((page) => !listed.includes(page));
  return { listed, others };
}

/** A page on its way: tokens, title, anchors. */
function parse(markdown, source) {
  const tokens = markdown.parse(readFileSync(join(ROOT, source), 'utf8'), {});
  const anchors = new Set();
  let title = source;
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    const text = tokens[i + 1].children.map(({ content }) => content).join('');
    if (token.tag === 'h1') title = text;
    let id = slug(text);
    for (let n = 1; anchors.has(id); n++) id = `${slug(text)}-${n}`;
    anchors.add(id);
    token.attrSet('id', id);
  });
  return { source, tokens, title, anchors };
}

/** Links, with what follows, and pictures of a page, also in its headings and tables. */
function* references(tokens) {
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'link_open') yield [token, 'href', tokens[i + 1]];
    if (token.type === 'image') yield [token, 'src'];
    if (token.children) yield* references(token.children);
  }
}

/** The file of the sources that a link of a page leads to. */
function sourceOf({ source }, link) {
  const [path] = link.split('#');
  if (path === '') return source;
  return posix.normalize(posix.join(posix.dirname(source), decodeURI(path)));
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentcolor 20%, transparent); }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: 0.92rem; }
nav h2 { font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.06em; margin: 1.2rem 0 0.3rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.15rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: 700; }
main { padding: 1.5rem 2rem 4rem; max-width: 58rem; }
pre { overflow-x: auto; padding: 0.8rem; border: 1px solid var(--line); border-radius: 0.3rem; }
code { font-size: 0.9em; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 0.92rem; }
th, td { border: 1px solid var(--line); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
@media (max-width: 50rem) { body { display: block; } nav { border: 0; } }
`;

const escape = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** Makes the site. @returns how many pages it has @throws Error that names links that lead nowhere */
function makeSite(out) {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const { listed, others } = sources();
  const pages = new Map([...listed, ...others].map((source) => [source, parse(markdown, source)]));
  const files = new Set();
  const broken = [];
  const paths = [...pages.keys()].map(pathOf);
  const twice = paths.filter((path, i) => paths.indexOf(path) !== i);
  if (twice.length > 0) throw new Error(`two pages would be ${twice.join(', ')}`);

  /** Where a link leads in the site; links to sources that are no pages stay texts. */
  const target = (page, link) => {
    if (/^[a-z]+:/.test(link)) return link;
    const [, anchor] = link.split('#');
    const source = sourceOf(page, link);
    const other = pages.get(source);
    if (other !== undefined) {
      if (anchor !== undefined && !other.anchors.has(anchor))
        broken.push(`${page.source}: ${link}`);
      const to = posix.relative(posix.dirname(pathOf(page.source)), pathOf(source));
      return to + (anchor === undefined ? '' : `#${anchor}`);
    }
    const file = join(ROOT, source);
    if (!existsSync(file)) {
      broken.push(`${page.source}: ${link}`);
      return null;
    }
    // Pictures go along; of sources the site has nothing.
    if (!['.png', '.svg'].includes(extname(source))) return null;
    files.add(source);
    return posix.relative(posix.dirname(pathOf(page.source)), pathOf(source));
  };

  const entry = (current) => (source) => {
    const { title } = pages.get(source);
    const mark = source === current.source ? ' aria-current="page"' : '';
    return `<li><a href="${pathOf(source)}"${mark}>${escape(title)}</a></li>`;
  };
  const menu = (current) =>
    Object.entries(MENU)
      .map(([heading, own], i, all) => {
        const list = [
          ...own.filter((source) => pages.has(source)),
          ...(i === all.length - 1 ? others : []),
        ];
        return `<h2>${heading}</h2><ul>${list.map(entry(current)).join('')}</ul>`;
      })
      .join('\n');

  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const page of pages.values()) {
    for (const [token, attribute, text] of references(page.tokens)) {
      const link = token.attrGet(attribute);
      const to = target(page, link);
      // Names of files say nothing to readers of a site.
      if (text?.content === link && pages.has(sourceOf(page, link))) {
        text.content = pages.get(sourceOf(page, link)).title;
      }
      if (to !== null) token.attrSet(attribute, to);
      else token.attrs = token.attrs.filter(([name]) => name !== attribute);
    }
    const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'">
<title>${escape(page.title)}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav aria-label="Pages">
${menu(page)}
</nav>
<main>
${markdown.renderer.render(page.tokens, markdown.options, {})}</main>
</body>
</html>
`;
    writeFileSync(join(out, pathOf(page.source)), html);
  }
  for (const file of files) {
    const to = join(out, pathOf(file));
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(ROOT, file), to);
  }
  writeFileSync(join(out, 'style.css'), STYLE.trimStart());
  if (broken.length > 0) throw new Error(`links that lead nowhere:\n${broken.join('\n')}`);
  return pages.size;
}

const out = process.argv[2] ?? join(ROOT, 'site');
try {
  process.stdout.write(`${makeSite(out)} pages in ${out}\n`);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
