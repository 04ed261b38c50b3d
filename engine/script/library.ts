// Scripts by name: stored ones, which are documents, and those of files in the configuration folder.

import { EngineError, illegalArgument } from '../errors';
import type { JsonObject } from '../json/index';
import { requestSteps, type RequestSteps } from './limits';
import { DEFAULT_LANGUAGE, languageOf, type ScriptSource } from './plan';
import type { ScriptName } from './template/script-name';
import { parseTemplate } from './template/parse-template';
import { renderTemplate, TemplateBudget } from './template/render-template';
import type { TemplateRequest } from './template/template-request';
import { storedSource } from './stored-source';
import { SCRIPTS_INDEX, type ScriptFiles, type ScriptLanguage } from '../metadata/index';

/** A script as a request names it. Plain data. */
export interface ScriptRequest {
  readonly name: ScriptName;
  /** Null: the default. */
  readonly lang: string | null;
  readonly params: JsonObject | null;
}

/**
 * Reads the document that a stored script is; undefined: there is none.
 * @throws EngineError IndexMissingException when no script was ever stored, and of closed or blocked indices
 */
export type StoredScriptReader = (lang: ScriptLanguage, id: string) => Buffer | undefined;

/** The same from elsewhere, which takes its time. @throws likewise */
export type StoredScriptLoader = (lang: ScriptLanguage, id: string) => Promise<Buffer | undefined>;

/** The languages of files, in the order in which a name without language is looked for. */
export const FILE_LANGUAGES: readonly ScriptLanguage[] = [
  'groovy',
  'mvel',
  'expression',
  'mustache',
];

/** All scripts with names, for one request: each is read once, and they share their steps. */
export class ScriptLibrary {
  /** Made when a script is asked for: most requests have none. */
  private shared: RequestSteps | null = null;
  private templates: TemplateBudget | null = null;
  /** What has been read, by language and id: languages have no `/`, ids may. */
  private readonly found = new Map<string, string>();
  /** What was read ahead, as it will be when it is asked for. */
  private readonly ready = new Map<string, () => Buffer | undefined>();

  /** @param load reads what `stored` cannot wait for; null: there is nothing such */
  constructor(
    private readonly stored: StoredScriptReader,
    private readonly files: ScriptFiles,
    private readonly load: StoredScriptLoader | null = null,
  ) {}

  /** Reads ahead what {@link resolve} will ask for. What that fails with, it tells. */
  async prepare({ name, lang: wanted }: ScriptRequest): Promise<void> {
    if (this.load === null || name.kind !== 'stored') return;
    try {
      const lang = languageOf(wanted);
      const id = idOf(name.text, lang);
      const key = `${lang}/${id}`;
      if (this.ready.has(key)) return;
      const reading = this.load(lang, id);
      this.ready.set(
        key,
        await reading.then(
          (document) => () => document,
          (error: unknown) => () => {
            throw error;
          },
        ),
      );
    } catch (error) {
      // A name that cannot be is told when it is asked for.
      if (!(error instanceof EngineError)) throw error;
    }
  }

  /**
   * The source of a script. A text that is the name of a script file stands for that (reference server).
   *
   * @throws EngineError ElasticsearchIllegalArgumentException for an unknown language, id or file name
   */
  resolve({ name, lang, params }: ScriptRequest): ScriptSource {
    const { steps } = this;
    switch (name.kind) {
      case 'stored':
        return this.storedSource(name.text, lang, params);
      case 'file': {
        const file = this.fileSource(name.text, lang, params);
        if (file === null) throw illegalArgument(`Unable to find on disk script ${name.text}`);
        return file;
      }
      case 'inline':
        return (
          this.fileSource(name.text, lang, params) ?? { source: name.text, lang, params, steps }
        );
    }
  }

  /**
   * The text of a template.
   *
   * @throws EngineError as {@link resolve}, MustacheException (500), ElasticsearchIllegalArgumentException
   *         (400) when it gets too long
   */
  renderTemplate({ name, params }: TemplateRequest): string {
    const { source } = this.resolve({ name, lang: 'mustache', params });
    this.templates ??= new TemplateBudget();
    return renderTemplate(parseTemplate(source), params, this.templates);
  }

  private get steps(): RequestSteps {
    return (this.shared ??= requestSteps());
  }

  private storedSource(
    name: string,
    wanted: string | null,
    params: JsonObject | null,
  ): ScriptSource {
    const { steps } = this;
    const lang = languageOf(wanted);
    const id = idOf(name, lang);
    const key = `${lang}/${id}`;
    let source = this.found.get(key);
    if (source === undefined) {
      const ready = this.ready.get(key);
      const document = ready === undefined ? this.stored(lang, id) : ready();
      if (document === undefined) {
        const asked = `${SCRIPTS_INDEX}/${wanted ?? DEFAULT_LANGUAGE}/${id}`;
        throw illegalArgument(`Unable to find script [${asked}]`);
      }
      source = storedSource(document);
      this.found.set(key, source);
    }
    return { source, lang, params, steps };
  }

  private fileSource(
    name: string,
    wanted: string | null,
    params: JsonObject | null,
  ): ScriptSource | null {
    const { steps } = this;
    for (const lang of wanted === null ? FILE_LANGUAGES : [languageOf(wanted)]) {
      // A template has to be asked for.
      if (wanted === null && lang === 'mustache') continue;
      const source = this.files.get(lang)?.get(name);
      if (source !== undefined) return { source, lang, params, steps };
    }
    return null;
  }
}

/** The id in `id` or `/lang/id`. */
function idOf(name: string, lang: ScriptLanguage): string {
  if (!name.includes('/')) return name;
  const [, named, id, ...rest] = name.split('/');
  if (named === undefined || id === undefined || rest.length > 0) {
    throw illegalArgument(`Illegal index script format [${name}] should be /lang/id`);
  }
  if (named !== lang) {
    throw new EngineError(
      'ElasticsearchIllegalStateException',
      `Conflicting script language, found [${named}] expected + [${lang}]`,
    );
  }
  return id;
}
