// Texts of settings by name, read and checked by their kinds.

import { getHeapStatistics } from 'node:v8';
import {
  explicitBoolean,
  LIMIT_SETTINGS,
  parseBytes,
  parseTimeValue,
  settingProblem,
  splitCommas,
  type ClusterLimits,
} from '../../engine/index';
import type { SettingDefinition } from './setting-definition';
import { AUTOMATIC, automaticValue, SETTINGS } from './settings-table';

/** A configuration that a node cannot start with. `message` is for the operator. */
export class ConfigError extends Error {}

/** All settings by name. */
export const DEFINITIONS = new Map(SETTINGS.map((setting) => [setting.name, setting]));

/** Every index says how many shards and replicas it has. */
const INDEX_COUNTS = ['index.number_of_shards', 'index.number_of_replicas'];

/** @throws Error for a name that is not in the table: a bug */
export function definition(name: string): SettingDefinition {
  const found = DEFINITIONS.get(name);
  if (found === undefined) throw new Error(`no setting ${name}`);
  return found;
}

/** `index.` names are defaults of new indices, but for one that the reference has for all of the node. */
function isIndexDefault(name: string): boolean {
  return name.startsWith('index.') && name !== 'index.query.bool.max_clause_count';
}

/** Bytes of `40%` of the heap; NaN for what is no percentage. */
function shareOfHeap(text: string): number {
  const percent = Number(text.slice(0, -1));
  const isShare = percent > 0 && percent <= 100;
  return isShare ? Math.floor((getHeapStatistics().heap_size_limit * percent) / 100) : NaN;
}

/** Texts by setting name, read by kind. */
export class Values {
  constructor(private readonly given: ReadonlyMap<string, string>) {}

  /** As it was given, or the default. */
  text(name: string): string {
    const text = this.given.get(name) ?? definition(name).byDefault;
    const isAutomatic = text === AUTOMATIC && definition(name).byDefault === AUTOMATIC;
    return isAutomatic ? automaticValue(name) : text;
  }

  /** Parts between commas. */
  list(name: string): string[] {
    return splitCommas(this.text(name)).map((part) => part.trim());
  }

  /** Of a value that was checked. */
  boolean(name: string): boolean {
    return explicitBoolean(this.text(name)) === true;
  }

  /** Of a number, in bytes for a size and in milliseconds for a time; NaN for what is none. */
  number(name: string): number {
    const text = this.text(name);
    const { kind } = definition(name);
    if (kind === 'memory' && text.endsWith('%')) return shareOfHeap(text);
    if (kind === 'bytes' || kind === 'memory') return parseBytes(text) ?? NaN;
    return kind === 'time' ? parseTimeValue(text) : Number(text);
  }

  /** What clients can add. */
  limits(): ClusterLimits {
    const limits = Object.entries(LIMIT_SETTINGS).map(
      ([limit, name]) => [limit, this.number(name)] as const,
    );
    return Object.fromEntries(limits) as unknown as ClusterLimits;
  }

  /**
   * Defaults of new indices: their counts, and any other `index.` setting that was given.
   * @throws ConfigError for a value that no index could have
   */
  indexDefaults(): Map<string, string> {
    const defaults = new Map(INDEX_COUNTS.map((name) => [name, this.text(name)]));
    for (const [name, value] of this.given) {
      if (!isIndexDefault(name)) continue;
      const problem = settingProblem(name, value);
      if (problem !== null) throw new ConfigError(`setting ${name}: ${problem}`);
      defaults.set(name, value);
    }
    return defaults;
  }

  /** @throws ConfigError when the setting's text is not of its kind */
  check(name: string): void {
    const { kind, atLeast, atMost } = definition(name);
    const text = this.text(name);
    if (kind === 'text' && text === '') throw new ConfigError(`setting ${name} is empty`);
    if (kind === 'text' || kind === 'list') return;
    if (typeof kind === 'object') {
      if (kind.oneOf.includes(text)) return;
      throw new ConfigError(`setting ${name}: ${text} is none of ${kind.oneOf.join(', ')}`);
    }
    if (kind === 'boolean') {
      if (explicitBoolean(text) !== null) return;
      throw new ConfigError(`setting ${name}: ${text} is neither true nor false`);
    }
    let number: number;
    try {
      number = this.number(name);
    } catch {
      number = NaN;
    }
    if (text.trim() === '' || !Number.isSafeInteger(number)) {
      const noun = {
        integer: 'an integer',
        bytes: 'a size such as 100mb',
        memory: 'a size such as 100mb or a share of the heap such as 40%',
        time: 'a time such as 30s',
      };
      throw new ConfigError(`setting ${name}: ${text} is not ${noun[kind]}`);
    }
    if (number < (atLeast ?? -Infinity) || number > (atMost ?? Infinity)) {
      const range = [
        ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
        ...(atMost === undefined ? [] : [`at most ${atMost}`]),
      ];
      throw new ConfigError(`setting ${name}: ${text} has to be ${range.join(' and ')}`);
    }
  }
}
