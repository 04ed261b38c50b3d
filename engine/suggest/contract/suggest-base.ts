// What all suggestions have.

/** What all suggestions have. */
export interface SuggestBase {
  /** Member of the answer. */
  readonly name: string;
  /** What was typed. */
  readonly text: string;
  /** Options shown of each entry. */
  readonly size: number;
}
