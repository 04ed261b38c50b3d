// Rendering templates: what values mean, and how they are written, as on the reference server.
//
// A name is looked for in the value of the innermost section that is an object and has it, then further out.
// Null, false, the empty text and the empty list are nothing; a section renders once for each element of a
// list, and once for anything else. Values are escaped as inside a JSON string unless asked not to.

import { illegalArgument } from '../../errors';
import {
  isJsonObject,
  javaText,
  type JsonObject,
  type JsonValue,
  writeJson,
} from '../../json/index';
import type { TemplateNode } from './parse-template';

/** UTF-16 units that the templates of a request may render to. */
const MAX_RENDERED = 10_485_760;
/** Pieces of templates that are rendered for a request: sections within sections multiply. */
const MAX_STEPS = 500_000;

/** What the templates of one request have left together. */
export class TemplateBudget {
  private steps = MAX_STEPS;
  private units = MAX_RENDERED;

  /** @throws EngineError ElasticsearchIllegalArgumentException (400) */
  step(): void {
    if (--this.steps < 0) {
      throw illegalArgument(`templates have more than [${MAX_STEPS}] pieces to render`);
    }
  }

  /** @throws EngineError ElasticsearchIllegalArgumentException (400) */
  write({ length }: string): void {
    this.units -= length;
    if (this.units < 0) {
      throw illegalArgument(`templates render to more than [${MAX_RENDERED}] characters`);
    }
  }
}

/**
 * The text of a template.
 *
 * @throws EngineError ElasticsearchIllegalArgumentException (400) when it gets too long
 */
export function renderTemplate(
  nodes: readonly TemplateNode[],
  params: JsonObject,
  budget: TemplateBudget,
): string {
  const renderer = new Renderer(params, budget);
  renderer.render(nodes);
  return renderer.text;
}

class Renderer {
  text = '';
  private readonly scopes: JsonValue[];

  constructor(
    params: JsonObject,
    private readonly budget: TemplateBudget,
  ) {
    this.scopes = [params];
  }

  render(nodes: readonly TemplateNode[]): void {
    for (const node of nodes) {
      this.budget.step();
      switch (node.kind) {
        case 'text':
          this.write(node.text);
          break;
        case 'value': {
          const value = this.find(node.path);
          if (value === undefined || value === null) break;
          const text = typeof value === 'string' ? value : javaText(value);
          this.write(node.escaped ? escaped(text) : text);
          break;
        }
        case 'section':
          this.section(node);
          break;
      }
    }
  }

  private section({ path, inverted, inner }: Extract<TemplateNode, { kind: 'section' }>): void {
    const value = this.find(path);
    const isNothing = value === undefined || value === null || value === false || value === '';
    const isEmpty = isNothing || (Array.isArray(value) && value.length === 0);
    if (inverted) {
      if (isEmpty) this.render(inner);
      return;
    }
    if (isEmpty) return;
    for (const element of Array.isArray(value) ? value : [value]) {
      this.budget.step();
      // compat: a null in a list leaves the surrounding value in place.
      if (element === null) {
        this.render(inner);
        continue;
      }
      this.scopes.push(element);
      this.render(inner);
      this.scopes.pop();
    }
  }

  /** The value of a name; undefined: there is none. */
  private find(path: readonly string[]): JsonValue | undefined {
    if (path.length === 0) return this.scopes[this.scopes.length - 1];
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const value = valueAt(this.scopes[i]!, path);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  private write(text: string): void {
    this.budget.write(text);
    this.text += text;
  }
}

function valueAt(scope: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = scope;
  for (const name of path) {
    if (value === undefined) return undefined;
    value = member(value, name);
  }
  return value;
}

function member(value: JsonValue, name: string): JsonValue | undefined {
  if (isJsonObject(value)) return value.get(name);
  // Of the methods that the reference calls by name, those that templates have a use for.
  if (Array.isArray(value)) return name === 'size' ? String(value.length) : undefined;
  return typeof value === 'string' && name === 'length' ? String(value.length) : undefined;
}

/** As inside a JSON string. */
function escaped(text: string): string {
  return writeJson(text).slice(1, -1);
}
