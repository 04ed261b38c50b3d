// Index templates.

import { changeState, type AdministrationHost } from './state-changes';
import type { Administration } from '../api/index';
import { EngineError } from '../errors';
import {
  assertRoomForTemplate,
  matchingTemplates,
  parseTemplate,
  putTemplate,
  removeTemplates,
} from '../metadata/index';

/** The part of administration that is about index templates. */
export function indexTemplates(
  host: AdministrationHost,
): Pick<Administration, 'putTemplate' | 'deleteTemplates'> {
  return {
    async putTemplate(name, body, create, parameters) {
      assertRoomForTemplate(name, body, host.settings.limits);
      const template = parseTemplate(name, body, parameters);
      await changeState(host, (state) => {
        if (create && state.templates.has(name)) {
          throw new EngineError(
            'IndexTemplateAlreadyExistsException',
            `index_template [${name}] already exists`,
          );
        }
        return putTemplate(state, name, template);
      });
    },

    async deleteTemplates(name) {
      await changeState(host, (state) => {
        const found = matchingTemplates(state, [name]);
        // To remove all of none is fine.
        if (found.length === 0 && name !== '*') {
          throw new EngineError(
            'IndexTemplateMissingException',
            `index_template [${name}] missing`,
          );
        }
        return removeTemplates(state, found);
      });
    },
  };
}
