// The node, live: load, memory, traffic and slow requests.

import { useRef, useState } from 'preact/hooks';
import { useLoaded } from '../../hooks/use-loaded';
import { useInterval } from '../../hooks/use-interval';
import { useClient } from '../../hooks/use-client';
import { ErrorNotice, Loading } from '../../components/notice';
import { bytesText, countText, durationText, numberText } from '../../model/format';
import { isObject } from '../../model/own';
import {
  ratesBetween,
  readLook,
  slowRequests,
  type NodeLook,
  type NodeRates,
} from '../../model/node-figures';
import { RequestTables } from './request-tables';
import { Sparkline } from './sparkline';

const EVERY_MS = 2000;
/** Looks that are kept: two minutes. */
const MOST_LOOKS = 60;

/** The view of the node. */
export function NodeView() {
  const client = useClient();
  const looks = useRef<NodeLook[]>([]);
  const [isPaused, setPaused] = useState(false);
  const { value, error, reload } = useLoaded('node', async (signal) => {
    const stats = await client.get('/_nodes/stats?slow_requests=true', signal);
    const metrics = await client
      .text({ method: 'GET', path: '/_metrics', body: null }, signal)
      .catch(() => '');
    const answer = isObject(stats) ? stats : {};
    const look = readLook(answer, metrics);
    if (looks.current.at(-1)?.atMs !== look.atMs) {
      looks.current = [...looks.current, look].slice(-MOST_LOOKS);
    }
    return { look, slow: slowRequests(answer) };
  });
  useInterval(EVERY_MS, () => {
    if (!isPaused) reload();
  });
  if (error !== null && value === null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="the node" />;
  const { look } = value;
  return (
    <main class="node">
      <div class="heading">
        <h1>{look.name}</h1>
        <p class="muted">
          facetd {look.version}, up for {durationText(look.uptimeMs)}
        </p>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Go on' : 'Pause'}
        </button>
      </div>
      <Charts looks={looks.current} />
      <dl class="tiles">
        {tilesOf(look).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <RequestTables first={looks.current[0] ?? null} look={look} slow={value.slow} />
    </main>
  );
}

function Charts({ looks }: { readonly looks: readonly NodeLook[] }) {
  const rates = looks.slice(1).map((look, i) => ratesBetween(looks[i]!, look));
  const rate = (select: (rates: NodeRates) => number) =>
    rates.map((one) => (one === null ? 0 : select(one)));
  const now = looks.at(-1);
  if (now === undefined) return null;
  return (
    <div class="sparklines">
      <Sparkline
        name="processors in use"
        values={rate(({ processors }) => processors)}
        text={numberText}
      />
      <Sparkline
        name="memory"
        values={looks.map(({ residentBytes }) => residentBytes)}
        text={bytesText}
      />
      <Sparkline
        name="searches per second"
        values={rate(({ searchesPerSecond }) => searchesPerSecond)}
        text={numberText}
      />
      <Sparkline
        name="writes per second"
        values={rate(({ writesPerSecond }) => writesPerSecond)}
        text={numberText}
      />
    </div>
  );
}

function tilesOf(look: NodeLook): (readonly [string, string])[] {
  return [
    ['load of the machine', look.load === null ? '–' : numberText(look.load)],
    ['heap', `${bytesText(look.heapBytes)} of ${bytesText(look.heapMaxBytes)}`],
    ['field data', bytesText(look.fieldDataBytes)],
    ['documents', countText(look.documents)],
    ['on disk', bytesText(look.storeBytes)],
    ['free on disk', bytesText(look.freeDiskBytes)],
    ['connections', countText(look.connections)],
    ['merges running', countText(look.merging)],
  ];
}
