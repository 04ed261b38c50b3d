// What is wrong with what was typed, or odd about it, with the way out of it.

import type { Target } from '../../api/endpoints';
import { Notice } from '../../components/notice';
import { asPlainWords, mistakesIn, oddities } from '../../model/query-text';
import type { SearchState } from '../../model/search-state';
import { change } from './search-actions';

/** Remarks on the text of a search. @param isRefused the server could not read it */
export function QueryRemarks({
  search,
  target,
  isRefused,
}: {
  readonly search: SearchState;
  readonly target: Target;
  readonly isRefused: boolean;
}) {
  const { text } = search;
  const remarks = isRefused ? mistakesIn(text) : oddities(text, target.fields);
  if (remarks.length === 0 && !isRefused) return null;
  return (
    <Notice kind={isRefused ? 'error' : 'hint'}>
      {isRefused && <p>This cannot be read as a query.</p>}
      <ul class="remarks">
        {remarks.map((remark) => (
          <li key={remark.text}>
            {remark.text}{' '}
            {remark.correction !== null && (
              <Correction search={search} text={remark.correction} label={remark.correction} />
            )}
          </li>
        ))}
      </ul>
      {isRefused && (
        <p>
          <Correction
            search={search}
            text={asPlainWords(text)}
            label="Search for it as plain words"
          />
        </p>
      )}
    </Notice>
  );
}

function Correction({
  search,
  text,
  label,
}: {
  readonly search: SearchState;
  readonly text: string;
  readonly label: string;
}) {
  return (
    <button type="button" class="plain" onClick={() => change(search, { text })}>
      {label}
    </button>
  );
}
