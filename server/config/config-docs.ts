// `--help` and docs/configuration.md, both from the table of settings.

import type { SettingKind } from './setting-definition';
import { markdownTable } from './markdown-table';
import { SETTINGS } from './settings-table';

/** What `--help` prints: how the program is used, and all settings. */
export function helpText(usage: string): string {
  const lines = SETTINGS.map(
    ({ name, byDefault, documentation }) =>
      `  ${name} (default: ${byDefault === '' ? 'none' : byDefault})\n      ${documentation}`,
  );
  return `${usage}\n${lines.join('\n')}\n`;
}

/** The page docs/configuration.md. */
export function configurationPage(): string {
  const rows = SETTINGS.map(({ name, kind, byDefault, documentation }) => [
    `\`${name}\``,
    byDefault === '' ? '' : `\`${byDefault}\``,
    kindText(kind),
    documentation,
  ]);
  return `# Configuration

<!-- Made by \`npm run docs\`. Change server/config/settings-table.ts instead. -->

Settings are read from three places; later ones win:

1. the settings file, \`config/facetd.json\` unless \`--config FILE\` names another: JSON, names nested or dotted;
2. environment variables, one for each setting: \`FACETD_\` and its name in capitals, with \`_\` for dots and dashes
   (\`http.cors.allow-origin\` is \`FACETD_HTTP_CORS_ALLOW_ORIGIN\`);
3. the command line: \`--set name=value\`, with \`--host\`, \`--port\`, \`--data\` and \`--config\` as short forms.

An unknown name or a value that cannot be used stops the start with a message and exit code 78. Times are numbers with
a unit (\`500ms\`, \`30s\`, \`5m\`), sizes likewise (\`512kb\`, \`100mb\`); lists are separated by commas or, in the file,
JSON arrays. Besides the settings below any \`index.*\` setting that this node or the reference server reads may be given
in the file or with \`--set\`: it becomes a default of new indices, as if their requests said it. Misspelt ones are refused
with the nearest name. All limits, also those without a setting, are listed in
[limits.md](limits.md).

## Settings

${markdownTable(['setting', 'default', 'kind', 'meaning'], rows)}

## Browsers

Pages of other origins are refused. To let a dashboard such as Kibana 3 or elasticsearch-head use the node from a web server of
its own, name its origin:

\`\`\`json
{
  "http.cors.enabled": true,
  "http.cors.allow-origin": "http://localhost:8000"
}
\`\`\`

With \`http.authentication\` the browser sends a key only where the page does (\`http://id:secret@host:9200\` in the address that it
asks, or a header): [security.md](security.md).

Kibana 3 can be served by the node itself, which needs neither a web server nor these settings. \`http.static.kibana\` names the folder
with its \`index.html\`, and the page is at \`http://localhost:9200/_plugin/kibana/\`, where the reference server has it as a plugin; its
\`config.js\` is to say \`elasticsearch: "http://"+window.location.host\` where the port is not 9200. Only plain files below the folder
are served, by GET and HEAD: no names that begin with a dot, nothing behind symbolic links. They are shown to everybody, also with
\`http.authentication\`, so a folder that contains \`path.data\`, \`path.conf\` or \`path.repo\` is refused. The page may load scripts,
styles, images and data from this node only (\`Content-Security-Policy\`), so panels with maps of other servers stay empty. Whoever
can change the files can do what people who open them may do.

Both ways are tested in Chromium with a page that compiles templates and sends the requests that Kibana 3 and elasticsearch-head were
recorded to send (\`test/explorer/dashboards.test.ts\`). Their own files are in no package registry; none of theirs were run here.

## A drop-in for the reference server

Where applications rely on the defaults of Elasticsearch 1.7, set them:

\`\`\`json
{
  "index.number_of_shards": 5,
  "index.number_of_replicas": 1,
  "search.default_search_type": "query_then_fetch"
}
\`\`\`
`;
}

function kindText(kind: SettingKind): string {
  return typeof kind === 'object'
    ? `one of ${kind.oneOf.map((value) => `\`${value}\``).join(', ')}`
    : kind;
}
