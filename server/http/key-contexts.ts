// What the handlers of requests get: an engine in which there is what the key of the request is granted for
// the action of its route.

import type { Access, AccessKey, Action } from '../../engine/index';
import type { RouteContext } from '../request/index';

/** Makes contexts, once for each key and action. */
export class KeyContexts {
  /** By key, which is another object after every change of it. */
  private readonly made = new WeakMap<AccessKey, Map<Action, RouteContext>>();

  constructor(
    private readonly access: Access,
    private readonly whole: RouteContext,
  ) {}

  /** @throws EngineError AuthorizationException (403) */
  of(key: AccessKey, action: Action): RouteContext {
    let own = this.made.get(key);
    if (own === undefined) this.made.set(key, (own = new Map<Action, RouteContext>()));
    let context = own.get(action);
    if (context === undefined) {
      context = { ...this.whole, key, engine: this.access.engineFor(key, action) };
      own.set(action, context);
    }
    return context;
  }
}
