// The requests behind the view: as JSON and as curl, to copy, to edit and to run.

import { useState } from 'preact/hooks';
import type { Call } from '../../api/client';
import { CopyButton } from '../../components/copy-button';
import { Json } from '../../components/json';
import { Notice } from '../../components/notice';
import { Panel } from '../../components/panel';
import { useClient, useClientState } from '../../hooks/use-client';
import { layOut } from '../../model/exact-json';
import { durationText } from '../../model/format';
import { asciiJson, curlOf, refusalOf, type RequestText } from '../../model/requests';

/** The panel. */
export function RequestPanel({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const calls = useClientState(({ recent }) => recent);
  // What the view asked for last is what it shows; what is run here does not push it away.
  const [shown] = useState(() => [...calls].reverse());
  const main = shown.find(({ path }) => path.endsWith('/_search')) ?? shown[0];
  const [chosen, setChosen] = useState<Call | undefined>(main);
  return (
    <Panel title="Requests of this view" onClose={onClose}>
      <ul class="calls">
        {shown.map((call) => (
          <li key={call.id}>
            <button
              type="button"
              aria-pressed={call.id === chosen?.id}
              onClick={() => setChosen(call)}
            >
              <b>{call.method}</b> {call.path}{' '}
              <span class="muted">
                {call.status ?? '…'} · {durationText(call.tookMs)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {chosen === undefined ? (
        <p class="muted">None yet.</p>
      ) : (
        <Editor key={chosen.id} call={chosen} hasKey={client.hasKey} />
      )}
    </Panel>
  );
}

function Editor({ call, hasKey }: { readonly call: Call; readonly hasKey: boolean }) {
  const client = useClient();
  const [method, setMethod] = useState(call.method);
  const [path, setPath] = useState(call.path);
  const [body, setBody] = useState(call.body === null ? '' : asciiJson(layOut(call.body)));
  const [result, setResult] = useState<Call>(call);
  const [isCurl, setCurl] = useState(false);
  const request: RequestText = { method, path, body: body.trim() === '' ? null : body };
  const refusal = refusalOf(request);
  const curl = curlOf(request, originOfPage(), hasKey);
  const mistake = method === 'GET' || body.trim() === '' ? null : mistakeIn(body);
  return (
    <div class="editor">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // A GET carries no body here.
          const sent = method === 'GET' ? { ...request, body: null } : request;
          if (refusal === null) void client.send(sent).then(setResult);
        }}
      >
        <div class="row">
          <select
            value={method}
            aria-label="Method"
            onChange={({ currentTarget }) => setMethod(currentTarget.value)}
          >
            <option>GET</option>
            <option>POST</option>
          </select>
          <input
            value={path}
            aria-label="Path"
            spellcheck={false}
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
          <button type="submit" class="primary" disabled={refusal !== null}>
            Run
          </button>
        </div>
        <div class="row">
          <div class="switch" role="group" aria-label="As">
            <button type="button" aria-pressed={!isCurl} onClick={() => setCurl(false)}>
              JSON
            </button>
            <button type="button" aria-pressed={isCurl} onClick={() => setCurl(true)}>
              curl
            </button>
          </div>
          <CopyButton text={isCurl ? curl : body}>Copy</CopyButton>
        </div>
        {isCurl ? (
          <pre class="json curl" tabIndex={0}>
            {curl}
          </pre>
        ) : (
          <textarea
            rows={Math.min(24, Math.max(4, body.split('\n').length))}
            value={body}
            aria-label="Body"
            spellcheck={false}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        )}
      </form>
      {refusal !== null && <Notice kind="hint">{refusal}</Notice>}
      {mistake !== null && <Notice kind="hint">The body is no JSON: {mistake}</Notice>}
      <h3>
        Answer{' '}
        <span class="muted">
          {result.status ?? '…'} · {durationText(result.tookMs)}
        </span>
      </h3>
      <Json text={result.answer} label="The answer" />
    </div>
  );
}

function mistakeIn(body: string): string | null {
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The server as the page was reached, with what stands before `_explorer` in its path. */
function originOfPage(): string {
  return location.origin + location.pathname.replace(/\/_explorer\/?$/, '');
}
