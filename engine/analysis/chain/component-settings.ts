// The settings of one component of an index, e.g. everything below `index.analysis.filter.my_stop.`.

import { numberFormat, ordinaryBoolean, parseDouble } from '../../common/index';
import { EngineError, illegalArgument } from '../../errors';

/** Flat index settings: values are texts or lists of texts. */
export type FlatSettings = ReadonlyMap<string, string | readonly string[]>;

/** The settings of one component, read by name and type. */
export class ComponentSettings {
  static readonly EMPTY = new ComponentSettings(new Map());
  readonly #values = new Map<string, string | readonly string[]>();

  /** @param values by option name without the component's prefix; camelCase names are understood. */
  constructor(values: FlatSettings) {
    for (const [name, value] of values) {
      const underscored = name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
      if (!values.has(underscored)) this.#values.set(underscored, value);
      this.#values.set(name, value);
    }
  }

  /** The option names given. */
  get names(): Iterable<string> {
    return this.#values.keys();
  }

  /** An option as text; undefined when it is absent or a list. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return typeof value === 'string' ? value : undefined;
  }

  /** An option as list: given as list, as `name.0`, `name.1`, ... or as text with commas. */
  list(name: string): readonly string[] | undefined {
    const value = this.#values.get(name);
    if (typeof value === 'string') {
      const parts = value.split(',').map((part) => part.trim());
      return parts.filter((part) => part !== '');
    }
    // compat: an empty list is as good as none.
    if (value !== undefined) return value.length === 0 ? undefined : value;
    const items: string[] = [];
    for (
      let item = this.text(`${name}.0`);
      item !== undefined;
      item = this.text(`${name}.${items.length}`)
    ) {
      items.push(item);
    }
    return items.length === 0 ? undefined : items;
  }

  /** @throws EngineError SettingsException when the option is not a whole 32-bit number. */
  integer(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^[+-]?\d+$/.test(text) || value !== (value | 0)) {
      throw new EngineError(
        'SettingsException',
        `Failed to parse int setting [${name}] with value [${text}]`,
        { cause: numberFormat(text) },
      );
    }
    return value;
  }

  /**
   * As a 32-bit float.
   * @throws EngineError SettingsException when the option is not a number.
   */
  float(name: string, fallback: number): number {
    const text = this.text(name);
    if (text === undefined) return Math.fround(fallback);
    try {
      return Math.fround(parseDouble(text));
    } catch (cause) {
      throw new EngineError(
        'SettingsException',
        `Failed to parse float setting [${name}] with value [${text}]`,
        { cause },
      );
    }
  }

  /** False for `false`, `0`, `off` and `no`; true for any other text. */
  boolean(name: string, fallback: boolean): boolean {
    const text = this.text(name);
    return text === undefined ? fallback : ordinaryBoolean(text);
  }

  /**
   * Files named in settings are not read: an index must not depend on, or reveal, files of the machine.
   * @throws EngineError ElasticsearchIllegalArgumentException when the option is set.
   */
  refusePath(name: string): void {
    if (this.#values.has(name)) {
      throw illegalArgument(`[${name}] is not supported, give the entries in the settings instead`);
    }
  }
}

/**
 * The settings below `PREFIX` + `NAME.`, by NAME in order of first appearance.
 * @throws EngineError SettingsException when there is nothing below a name.
 */
export function settingGroups(
  settings: FlatSettings,
  prefix: string,
): ReadonlyMap<string, ComponentSettings> {
  const values = new Map<string, Map<string, string | readonly string[]>>();
  for (const [key, value] of settings) {
    if (!key.startsWith(prefix)) continue;
    const dot = key.indexOf('.', prefix.length);
    if (dot < 0) {
      throw new EngineError(
        'SettingsException',
        `Failed to get setting group for [${prefix}] setting prefix and setting [${key}] because of a missing '.'`,
      );
    }
    const name = key.slice(prefix.length, dot);
    const own = values.get(name) ?? new Map<string, string | readonly string[]>();
    own.set(key.slice(dot + 1), value);
    values.set(name, own);
  }
  return new Map([...values].map(([name, own]) => [name, new ComponentSettings(own)]));
}

/** The simple name of the class that the reference looks for under a type: `my_type` is `MyType`. */
export function classNameOf(type: string): string {
  const name = camelCase(type);
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/**
 * The causes by which the reference shows that it took an unknown type for a class name.
 * @param ownPackage where it looked last
 */
export function classNotFound(type: string, ownPackage: string, suffix: string): EngineError {
  const className = `${ownPackage}.${camelCase(type).toLowerCase()}.${classNameOf(type)}${suffix}`;
  return new EngineError(
    'NoClassSettingsException',
    `Failed to load class setting [type] with value [${type}]`,
    { cause: new EngineError('ClassNotFoundException', className) },
  );
}

function camelCase(type: string): string {
  return type.replace(/_+(.?)/g, (_match, next: string) => next.toUpperCase());
}
