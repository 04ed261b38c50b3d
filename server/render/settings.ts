// Index settings as clients read them: nested by the dots of their names, or flat.

import { flatSettings, nestSettings, type FlatSettings, type JsonOutput } from '../../engine/index';

/** Settings as one flat object or as a tree, as `flat_settings` says. */
export function renderSettings(settings: FlatSettings, isFlat: boolean): JsonOutput {
  return isFlat ? flatSettings(settings) : nestSettings(settings);
}
