// The bounds of a range by keyboard, exactly.

import { useEffect, useState } from 'preact/hooks';

/** Two fields for bounds. @param set null: no bound */
export function RangeInputs({
  field,
  isDate,
  from,
  to,
  set,
}: {
  readonly field: string;
  readonly isDate: boolean;
  readonly from: number | null;
  readonly to: number | null;
  readonly set: (from: number | null, to: number | null) => void;
}) {
  return (
    <div class="range">
      <Bound label={`${field} from`} isDate={isDate} value={from} set={(value) => set(value, to)} />
      <span class="muted">to below</span>
      <Bound
        label={`${field} to below`}
        isDate={isDate}
        value={to}
        set={(value) => set(from, value)}
      />
    </div>
  );
}

function Bound({
  label,
  isDate,
  value,
  set,
}: {
  readonly label: string;
  readonly isDate: boolean;
  readonly value: number | null;
  readonly set: (value: number | null) => void;
}) {
  const [text, setText] = useState(written(value, isDate));
  useEffect(() => setText(written(value, isDate)), [value, isDate]);
  const submit = () => {
    const next = read(text, isDate);
    if (Number.isNaN(next)) setText(written(value, isDate));
    else if (next !== value) set(next);
  };
  return (
    <input
      type="text"
      inputMode={isDate ? 'text' : 'decimal'}
      value={text}
      placeholder={isDate ? 'YYYY-MM-DD' : 'any'}
      aria-label={label}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={submit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') submit();
      }}
    />
  );
}

function written(value: number | null, isDate: boolean): string {
  if (value === null) return '';
  if (!isDate) return String(value);
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return String(value);
  return value % 86_400_000 === 0 ? date.toISOString().slice(0, 10) : date.toISOString();
}

/** NaN: the text is no bound. */
function read(text: string, isDate: boolean): number | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return isDate ? Date.parse(trimmed) : Number(trimmed.replaceAll(',', ''));
}
