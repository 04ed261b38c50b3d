// What tests measured, for the report of `npm run reliability` (scripts/dev/reliability.mjs): a line of JSON
// for each figure, in the file that FIGURES names.

import { appendFileSync } from 'node:fs';

/** Writes down what a test measured; nothing outside of `npm run reliability`. */
export function note(subject: string, figures: Readonly<Record<string, unknown>>): void {
  const file = process.env['FIGURES'];
  if (file === undefined || file === '') return;
  appendFileSync(file, `${JSON.stringify({ subject, ...figures })}\n`);
}
