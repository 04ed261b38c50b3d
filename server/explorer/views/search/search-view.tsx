// A search: the box, facets beside the hits, and what they add up to.

import { useMemo } from 'preact/hooks';
import { loadTarget, runSearch, type SearchAnswer, type Target } from '../../api/endpoints';
import { ErrorNotice, Loading, Notice } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { countOf, durationText } from '../../model/format';
import { proposedFacets } from '../../model/proposals';
import { mistakesIn } from '../../model/query-text';
import { planSearch } from '../../model/search-request';
import type { SearchState } from '../../model/search-state';
import { Conditions } from './conditions';
import { DocumentPanel } from './document-panel';
import { FacetList } from './facet-list';
import { HitCards } from './hit-cards';
import { HitTable } from './hit-table';
import { Pager } from './pager';
import { QueryRemarks } from './query-remarks';
import { ResultOptions } from './result-options';
import { SearchBox } from './search-box';
import { TargetLine } from './target-line';

/** The view of a search. */
export function SearchView({ search }: { readonly search: SearchState }) {
  const client = useClient();
  const target = useLoaded(search.target, (signal) => loadTarget(client, search.target, signal));
  const known = target.value?.name === search.target ? target.value : null;
  return (
    <main class="search">
      <SearchBox search={search} />
      {target.error !== null && <ErrorNotice error={target.error} />}
      {known === null && target.error === null && <Loading what={search.target || 'all indices'} />}
      {known !== null && <Results search={search} target={known} />}
    </main>
  );
}

function Results({ search, target }: { readonly search: SearchState; readonly target: Target }) {
  const client = useClient();
  const facets = useMemo(
    () => search.facets ?? proposedFacets(target.fields, target.survey),
    [search.facets === null ? target : JSON.stringify(search.facets), target],
  );
  const plan = planSearch(search, facets, target.fields, target.survey);
  const key = JSON.stringify([search.target, plan.body]);
  const { value, error, isLoading } = useLoaded(key, async (signal) => ({
    // Facets are read by the plan that they were asked with.
    plan,
    answer: await runSearch(client, search.target, plan.body, signal),
  }));
  return (
    <div class="results" aria-busy={isLoading}>
      <FacetList
        search={search}
        target={target}
        shown={facets}
        plans={value?.plan.facets ?? []}
        answer={value?.answer ?? null}
      />
      <section class="hits" aria-label="Hits">
        <TargetLine target={target} />
        <Conditions search={search} target={target} />
        {error !== null && <SearchError search={search} target={target} error={error} />}
        {value !== null && error === null && (
          <Hits search={search} target={target} answer={value.answer} />
        )}
        {value === null && error === null && <Loading what="hits" />}
      </section>
      {search.document !== null && <DocumentPanel search={search} address={search.document} />}
    </div>
  );
}

function SearchError({
  search,
  target,
  error,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly error: Parameters<typeof ErrorNotice>[0]['error'];
}) {
  const isQuery = search.text !== '' && /Failed to parse query|QueryParsing/.test(error.message);
  return (
    <>
      {isQuery && <QueryRemarks search={search} target={target} isRefused={true} />}
      {!(isQuery && mistakesIn(search.text).length > 0) && <ErrorNotice error={error} />}
    </>
  );
}

function Hits({
  search,
  target,
  answer,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly answer: SearchAnswer;
}) {
  const { total, hits, took, failures, timedOut } = answer;
  const shown = { search, target, hits };
  return (
    <>
      <div class="results-line">
        <p role="status">
          <strong>{countOf(total, 'document')}</strong>{' '}
          <span class="muted">in {durationText(took)}</span>
        </p>
        <ResultOptions search={search} target={target} />
      </div>
      {timedOut && <Notice kind="hint">Time was up before all was searched.</Notice>}
      {failures.length > 0 && (
        <Notice kind="error">
          <p>{countOf(failures.length, 'shard')} did not answer; what is shown is of the others.</p>
          <details>
            <summary>Why</summary>
            <pre>{failures.join('\n')}</pre>
          </details>
        </Notice>
      )}
      {search.text !== '' && <QueryRemarks search={search} target={target} isRefused={false} />}
      {total === 0 && <p class="empty">Nothing matches. Fewer words, or fewer ticks, find more.</p>}
      {search.layout === 'cards' ? <HitCards {...shown} /> : <HitTable {...shown} />}
      <Pager search={search} total={total} />
    </>
  );
}
