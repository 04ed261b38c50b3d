// What analyzers make of a text, step by step.

import { useState } from 'preact/hooks';
import { segment } from '../../api/client';
import { analyze, type Token } from '../../api/endpoints';
import { ErrorNotice, Loading } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { analyzersOf, stepsOf, type AnalysisStep } from '../../model/analysis-steps';
import { fieldsOf, type Mappings } from '../../model/fields';
import { ownObject } from '../../model/own';

const EXAMPLE = 'The Quick Brown Foxes’ 2nd jump — over É-mail@example.org!';

/** The tab. */
export function AnalyzeTab({ index }: { readonly index: string }) {
  const client = useClient();
  const [text, setText] = useState(EXAMPLE);
  const [chosen, setChosen] = useState('analyzer standard');
  const { value, error } = useLoaded(index, async (signal) => {
    const [settings, mappings] = await Promise.all([
      client.get(`/${segment(index)}/_settings`, signal),
      client.get(`/${segment(index)}/_mapping`, signal),
    ]);
    return {
      settings: ownObject(ownObject(settings, index), 'settings'),
      fields: fieldsOf(mappings as Mappings).filter(({ type }) => type === 'string'),
    };
  });
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="analyzers" />;
  const [kind, name] = [
    chosen.slice(0, chosen.indexOf(' ')),
    chosen.slice(chosen.indexOf(' ') + 1),
  ];
  const steps: readonly AnalysisStep[] =
    kind === 'field'
      ? [{ name, kind: 'analyzer', params: { field: name } }]
      : stepsOf(name, value.settings);
  return (
    <div class="analyze">
      <div class="row">
        <label>
          With{' '}
          <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            <optgroup label="Analyzers">
              {analyzersOf(value.settings).map((analyzer) => (
                <option key={analyzer} value={`analyzer ${analyzer}`}>
                  {analyzer}
                </option>
              ))}
            </optgroup>
            <optgroup label="As a field does">
              {value.fields.map(({ path }) => (
                <option key={path} value={`field ${path}`}>
                  {path}
                </option>
              ))}
            </optgroup>
          </select>
        </label>
      </div>
      <textarea
        rows={3}
        value={text}
        aria-label="Text to analyze"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ol class="steps">
        {steps.map((step, i) => (
          <Step key={`${i} ${step.name}`} index={index} step={step} text={text} number={i + 1} />
        ))}
      </ol>
    </div>
  );
}

function Step({
  index,
  step,
  text,
}: {
  readonly index: string;
  readonly step: AnalysisStep;
  readonly text: string;
  readonly number: number;
}) {
  const client = useClient();
  const { value, error } = useLoaded(
    JSON.stringify([index, step.params, text]),
    text === '' ? null : (signal) => analyze(client, index, step.params, text, signal),
  );
  return (
    <li>
      <h3>
        {step.name} <span class="muted">{step.kind}</span>
      </h3>
      {error !== null && <ErrorNotice error={error} />}
      <Tokens tokens={text === '' ? [] : (value ?? [])} />
    </li>
  );
}

function Tokens({ tokens }: { readonly tokens: readonly Token[] }) {
  if (tokens.length === 0) return <p class="muted">no tokens</p>;
  return (
    <ul class="tokens">
      {tokens.slice(0, 500).map(({ token, type, position, from, to }, i) => (
        <li key={i} title={`position ${position}, characters ${from} to ${to}, type ${type}`}>
          <span>{token}</span>
          <small class="muted">{position}</small>
        </li>
      ))}
    </ul>
  );
}
