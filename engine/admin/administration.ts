// Administration as routes see it: one interface, put together from parts that each have a file of their own.
// Every change is one atomic step of the cluster state (state-changes.ts).

import { analyze } from './analyze';
import { changedSettings, type ChangedSettings } from './changed-settings';
import { indexAliases, type AliasMoves } from './index-aliases';
import { indexLifecycle, type IndexLifecycle } from './index-lifecycle';
import { indexMappings } from './index-mappings';
import { indexTemplates } from './index-templates';
import { indexWarmers } from './index-warmers';
import type { AdministrationHost } from './state-changes';
import type { Administration } from '../api/index';

/** Changes the cluster state as requests want it. */
export type AdministrationService = Administration & IndexLifecycle & AliasMoves & ChangedSettings;

/** Puts the parts of administration together. */
export function createAdministration(host: AdministrationHost): AdministrationService {
  const settings = changedSettings(host);
  return {
    ...indexLifecycle(host, settings),
    ...indexMappings(host),
    ...settings,
    ...indexTemplates(host),
    ...indexWarmers(host),
    ...indexAliases(host),
    analyze: (request) => analyze(host, request),
  };
}
