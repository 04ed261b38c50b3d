// docs/routes.md, made from the table of routes.

import type { Action } from '../../engine/index';
import { markdownTable } from '../config/index';
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

${markdownTable(['methods', 'path', 'privilege', 'guarded'], rows)}
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
