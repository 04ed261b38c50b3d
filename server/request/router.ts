// Which handler a path belongs to, by the reference's rules, which Express's own
// matcher cannot express: literal segments beat variables with backtracking, per method; empty segments do
// not count; literals are compared raw and only variables are decoded.

import { partsBetween } from '../../engine/index';
import { decodeComponent } from './url';

/** One line of the table of routes. `{name}` segments are variables. */
export interface Route<H> {
  readonly methods: readonly string[];
  readonly path: string;
  readonly handler: H;
  /** Its GET also changes or costs something: no page of another site may cause it. */
  readonly isGuarded?: true;
}

/** A route that matched, with its decoded path variables. */
interface Match<H> {
  readonly handler: H;
  readonly variables: ReadonlyMap<string, string>;
}

interface Leaf<H> {
  readonly handler: H;
  /** Names of the variables in path order. */
  readonly names: readonly string[];
}

interface Node<H> {
  readonly literals: Map<string, Node<H>>;
  variable: Node<H> | null;
  readonly leaves: Map<string, Leaf<H>>;
}

const ROUTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);

/** The method that routes know: anything unheard of counts as GET. */
export function effectiveMethod(method: string): string {
  return ROUTED_METHODS.has(method) ? method : 'GET';
}

/** An immutable table of routes. */
export class Router<H> {
  private readonly root: Node<H> = newNode();

  /** @throws Error when two routes claim the same method and path */
  constructor(routes: readonly Route<H>[]) {
    for (const route of routes) this.add(route);
  }

  /**
   * The handler of a method and raw path (no query string).
   *
   * @returns null when there is none
   * @throws EngineError for a broken escape in a path variable (400)
   */
  match(method: string, path: string): Match<H> | null {
    const segments = partsBetween(path, '/');
    const captured: string[] = [];
    const leaf = find(this.root, segments, 0, effectiveMethod(method), captured);
    if (leaf === null) return null;
    const variables = new Map<string, string>();
    leaf.names.forEach((name, i) => variables.set(name, decodeComponent(captured[i] ?? '')));
    return { handler: leaf.handler, variables };
  }

  private add(route: Route<H>): void {
    const names: string[] = [];
    let node = this.root;
    for (const segment of partsBetween(route.path, '/')) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        node = node.variable ??= newNode();
      } else {
        let child = node.literals.get(segment);
        if (child === undefined) node.literals.set(segment, (child = newNode()));
        node = child;
      }
    }
    for (const method of route.methods) {
      if (node.leaves.has(method)) throw new Error(`two routes for ${method} ${route.path}`);
      node.leaves.set(method, { handler: route.handler, names });
    }
  }
}

function newNode<H>(): Node<H> {
  return { literals: new Map(), variable: null, leaves: new Map() };
}

/** Depth of the recursion is the depth of the table, not of the path. */
function find<H>(
  node: Node<H>,
  segments: readonly string[],
  index: number,
  method: string,
  captured: string[],
): Leaf<H> | null {
  const segment = segments[index];
  if (segment === undefined) return node.leaves.get(method) ?? null;
  const literal = node.literals.get(segment);
  if (literal !== undefined) {
    const found = find(literal, segments, index + 1, method, captured);
    if (found !== null) return found;
  }
  if (node.variable === null) return null;
  captured.push(segment);
  const found = find(node.variable, segments, index + 1, method, captured);
  if (found === null) captured.pop();
  return found;
}
