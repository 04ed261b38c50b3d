// What an engine is made of that shows a part.

import type { StateView } from './access/index';
import type { NodeGate } from './admin/index';
import type { SearchEngine } from './api/index';
import type { AccessRole, IndexPrivilege } from './metadata/index';
import type { Serving } from './serving';

/** What a restricted engine is made of. */
export interface RestrictedParts {
  readonly inner: SearchEngine;
  readonly gate: NodeGate;
  readonly role: AccessRole;
  readonly privilege: IndexPrivilege;
  readonly view: StateView;
  /** The services over what `view` shows. */
  readonly serving: Serving;
  /** What may be read, for actions that read on their way. */
  readonly readable: StateView;
  /** Whether indices may not be deleted by patterns. */
  readonly requiresName: () => boolean;
}
