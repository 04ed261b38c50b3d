// Which engine the holder of a key gets for a request: the node itself where the key is granted all there is
// for it, a part of it otherwise.

import { denied, grantsSome, type KeysService, StateView } from './access/index';
import type { NodeGate } from './admin/index';
import type { Access, Action, SearchEngine } from './api/index';
import type { DocumentHost } from './documents/index';
import type { EngineError } from './errors';
import {
  type AccessKey,
  type ClusterState,
  hasAllIndices,
  type IndexPrivilege,
} from './metadata/index';
import { RestrictedEngine } from './restricted-engine';
import type { ServedView, Serving } from './serving';

/** What access control needs of the node. */
export interface AccessHost {
  readonly keys: KeysService;
  readonly gate: NodeGate;
  readonly inner: () => SearchEngine;
  state(): ClusterState;
  readonly requiresName: () => boolean;
  readonly autoCreate: DocumentHost['autoCreate'];
  serve(view: ServedView): Serving;
}

/** Decides what keys open. */
export class AccessControl implements Access {
  readonly keys: KeysService;
  /** By key, which is another object after every change of it. */
  private readonly engines = new WeakMap<AccessKey, Map<IndexPrivilege, SearchEngine>>();

  constructor(private readonly host: AccessHost) {
    this.keys = host.keys;
  }

  /** See {@link Access.engineFor}. */
  engineFor(key: AccessKey, action: Action): SearchEngine {
    const { role } = key;
    const inner = this.host.inner();
    if (action.on === 'nothing') return inner;
    if (action.on === 'everything') {
      if (role.cluster.includes('cluster') && hasAllIndices(role)) return inner;
      throw denied('cluster, and all on all indices');
    }
    const { privilege } = action;
    if (action.on === 'cluster') {
      if (role.cluster.includes(action.privilege)) return inner;
      throw denied(`cluster: ${privilege}`);
    }
    if (hasAllIndices(role)) return inner;
    if (action.privilege === 'monitor' && role.cluster.includes('monitor')) return inner;
    if (!grantsSome(role, action.privilege)) throw denied(privilege);
    let own = this.engines.get(key);
    if (own === undefined) this.engines.set(key, (own = new Map<IndexPrivilege, SearchEngine>()));
    let engine = own.get(action.privilege);
    if (engine === undefined) {
      engine = this.restricted(key, action.privilege);
      own.set(action.privilege, engine);
    }
    return engine;
  }

  private restricted({ id, changedAt, role }: AccessKey, privilege: IndexPrivilege): SearchEngine {
    const { host } = this;
    const { gate, requiresName } = host;
    const view = new StateView(role, privilege, () => host.state());
    const readable = new StateView(role, 'read', () => host.state());
    const serving = host.serve({
      state: () => view.current(),
      owner: `${id} ${changedAt}`,
      autoCreate: async (missing) => {
        const refused = new Map<string, EngineError>();
        const own = new Map<string, Iterable<string>>();
        for (const [name, types] of missing) {
          // An alias that is not seen, as it has a filter, is granted by its name and there.
          const { restriction } = view.current();
          if (restriction === undefined || restriction.covers(name)) own.set(name, types);
          else refused.set(name, denied(`write on ${name}`));
        }
        if (own.size > 0) {
          for (const [name, error] of await host.autoCreate(own)) refused.set(name, error);
        }
        return refused;
      },
    });
    const inner = host.inner();
    return new RestrictedEngine({
      inner,
      gate,
      role,
      privilege,
      view,
      serving,
      readable,
      requiresName,
    });
  }
}
