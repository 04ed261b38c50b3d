// What the table of settings says of each.

/** How a setting's text is read. */
export type SettingKind =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'bytes'
  /** Bytes, or a share of the heap. */
  | 'memory'
  | 'time'
  | 'list'
  | { readonly oneOf: readonly string[] };

/** One setting of a node. */
export interface SettingDefinition {
  readonly name: string;
  readonly kind: SettingKind;
  /** As an operator would write it. */
  readonly byDefault: string;
  readonly documentation: string;
  /** Smallest number accepted, for numeric kinds. */
  readonly atLeast?: number;
  readonly atMost?: number;
}
