// Looking through a tree without running it: which fields a script will ask for.

import type { Expression, ScriptTree, Statement } from './ast';

/** Visits every expression of a tree. */
function forEachExpression(tree: ScriptTree, visit: (node: Expression) => void): void {
  const pending: unknown[] = [...tree.statements];
  while (pending.length > 0) {
    const node = pending.pop();
    if (Array.isArray(node)) {
      for (const item of node) pending.push(item);
    } else if (isNode(node)) {
      if (isExpression(node)) visit(node);
      for (const child of Object.values(node)) pending.push(child);
    }
  }
}

const STATEMENTS: ReadonlySet<string> = new Set<Statement['kind']>([
  'expression',
  'declare',
  'if',
  'forIn',
  'for',
  'while',
  'block',
  'return',
  'break',
  'continue',
]);

function isNode(value: unknown): value is Expression | Statement {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
  );
}

function isExpression(node: Expression | Statement): node is Expression {
  return !STATEMENTS.has(node.kind);
}

/** Names of fields that a script asks for, and whether there are others that only running it shows. */
interface FieldNames {
  readonly names: ReadonlySet<string>;
  readonly hasOthers: boolean;
}

/** @param textParams parameters with text values, which may name fields */
export function fieldNames(tree: ScriptTree, textParams: ReadonlyMap<string, string>): FieldNames {
  const names = new Set<string>();
  let asked = 0;
  let roots = 0;
  forEachExpression(tree, (node) => {
    if (node.kind === 'name' && isRoot(node)) roots++;
    const name = fieldName(node, textParams);
    if (name === null) return;
    asked++;
    names.add(name);
  });
  return { names, hasOthers: roots > asked };
}

function isRoot(node: Expression): boolean {
  return node.kind === 'name' && (node.name === 'doc' || node.name === '_fields');
}

/** The field that `doc['f']`, `doc.f`, `doc.get('f')` or `doc.containsKey('f')` names, or null. */
function fieldName(node: Expression, textParams: ReadonlyMap<string, string>): string | null {
  if (node.kind === 'property') return isRoot(node.object) ? node.name : null;
  if (node.kind === 'index') {
    return isRoot(node.object) ? textOfName(node.index, textParams) : null;
  }
  if (node.kind !== 'call') return null;
  const [first] = node.args;
  if (node.object === null || first === undefined || !isRoot(node.object)) return null;
  return textOfName(first, textParams);
}

function textOfName(node: Expression, textParams: ReadonlyMap<string, string>): string | null {
  if (node.kind === 'literal' && typeof node.value === 'string') return node.value;
  return node.kind === 'name' ? (textParams.get(node.name) ?? null) : null;
}

/** Names that a script assigns to, declared ones too. */
export function assignedNames(tree: ScriptTree): ReadonlySet<string> {
  const names = new Set<string>();
  forEachExpression(tree, (node) => {
    const isAssignment = node.kind === 'assign' || node.kind === 'step';
    if (isAssignment && node.target.kind === 'name') names.add(node.target.name);
  });
  return names;
}
