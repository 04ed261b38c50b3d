import { EngineError } from '../../../../engine/errors';
import { ScriptLibrary } from '../../../../engine/script/library';

const stored = (text: string, lang: string | null = null) =>
  ({ name: { kind: 'stored', text }, lang, params: null }) as const;

const NEVER = (): never => {
  throw new Error('it was read ahead');
};

test('scripts that are documents elsewhere are read ahead, each once', async () => {
  const read: string[] = [];
  const scripts = new ScriptLibrary(NEVER, new Map(), (lang, id) => {
    read.push(`${lang}/${id}`);
    return Promise.resolve(Buffer.from('{"script": "1 + 1"}'));
  });
  await scripts.prepare(stored('one'));
  await scripts.prepare(stored('/groovy/one'));
  await scripts.prepare({ name: { kind: 'inline', text: '2' }, lang: null, params: null });
  expect(scripts.resolve(stored('one'))).toMatchObject({ source: '1 + 1' });
  expect(read).toEqual(['groovy/one']);
});

test('what reading ahead fails with is told when the script is asked for', async () => {
  const scripts = new ScriptLibrary(NEVER, new Map(), (_, id) =>
    id === 'none'
      ? Promise.resolve(undefined)
      : Promise.reject(new EngineError('IndexMissingException', '[.scripts] missing')),
  );
  for (const name of ['none', 'lost', 'a/b']) await scripts.prepare(stored(name));
  await scripts.prepare(stored('none', 'cobol'));
  expect(() => scripts.resolve(stored('none'))).toThrow(
    'Unable to find script [.scripts/groovy/none]',
  );
  expect(() => scripts.resolve(stored('lost'))).toThrow('[.scripts] missing');
  expect(() => scripts.resolve(stored('a/b'))).toThrow('Illegal index script format [a/b]');
  expect(() => scripts.resolve(stored('none', 'cobol'))).toThrow(
    'script_lang not supported [cobol]',
  );
});
