// docs/routes.md, made from the table of routes.

import type { Action } from '../../engine/index';
import { ROUTES } from './route-table';

/** The page docs/routes.md. */
export function routesPage(): string {
  const rows = ROUTES.map(({ methods, path, action, isGuarded }) => [
    methods.join(', '),
    `\`${path}\``,
    needs(action),
    isGuarded === true ? 'yes' : '',
  ]);
  return `# Routes

<!-- Made by \`npm run docs\`. Change server/routes/route-table.ts instead. -->

Every request that is answered, in the order of the table of routes. Names in braces stand for any text; where a name and a word both fit, the word is meant. What requests say and what is answered is that of the reference server ([compatibility.md](compatibility.md)). With \`http.authentication\` a key needs the privilege shown ([security.md](security.md#privileges)); a route marked under "guarded" changes or costs something, so that pages of other sites may not cause it, not even by GET.

Besides these, files are served at \`/_explorer\` ([explorer.md](explorer.md)), and at \`/_plugin/kibana/\` where \`http.static.kibana\` names a folder ([configuration.md](configuration.md#browsers)). \`OPTIONS\` of any path is answered to browsers.

${table(['methods', 'path', 'privilege', 'guarded'], rows)}
`;
}

function needs(action: Action): string {
  switch (action.on) {
    case 'index':
      return `\`${action.privilege}\` of indices`;
    case 'cluster':
      return `\`${action.privilege}\` of cluster`;
    case 'everything':
      return '`all` of both';
    case 'nothing':
      return 'any key';
  }
}

/** A table as Prettier lays it out. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) =>
    rows.reduce((width, row) => Math.max(width, row[i]!.length), Math.max(3, name.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}
