// What is said once of every program: from it come the reading of its command line, its --help, its man page
// and its completions in shells.

/** An option. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  /** What its value is called in the help, such as FILE; options of type `boolean` have none. */
  readonly value?: string;
  /** The value when it is not given. */
  readonly byDefault?: string;
  /** May be given several times. */
  readonly multiple?: true;
  /** What a shell completes its value with. */
  readonly completes?: 'file' | 'folder' | 'setting';
  readonly help: string;
}

/** The options of a program by name, without the dashes. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** A program, which is a sub-command as well. */
export interface ProgramSpec<Options extends OptionSpecs = OptionSpecs> {
  /** As in `facetd NAME`. */
  readonly name: string;
  /** Its path below dist/, as scripts/dev/programs.mjs has it. */
  readonly file: string;
  /** Whether the package has it as `facetd-NAME`, too. */
  readonly isCommand: boolean;
  /** One line, without a full stop. */
  readonly summary: string;
  /** What follows the name, a line for each form. */
  readonly usage: readonly string[];
  /** Paragraphs. */
  readonly description: readonly string[];
  /** Words that may follow the name, if only some may. */
  readonly words?: readonly string[];
  /** All but --help, which every program has. */
  readonly options: Options;
  readonly exitCodes: Readonly<Record<number, string>>;
}

/** A program whose options keep their types. */
export function defineProgram<const Options extends OptionSpecs>(
  spec: ProgramSpec<Options>,
): ProgramSpec<Options> {
  return spec;
}

/** The values of options as they were given. */
export type OptionValues<Options extends OptionSpecs> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly type: 'boolean' }
    ? boolean
    : Options[Name] extends { readonly multiple: true }
      ? readonly string[]
      : Options[Name] extends { readonly byDefault: string }
        ? string
        : string | undefined;
};
