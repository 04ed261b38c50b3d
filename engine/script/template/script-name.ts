// How requests say which script or template they mean.

/** What a request says of where a script's source is: the text itself, or the name of a script. */
export interface ScriptName {
  readonly kind: 'inline' | 'stored' | 'file';
  readonly text: string;
}
