// Which facets a search begins with, and which others there can be.

import type { Field } from './fields';
import type { FacetChoice, FacetKind } from './search-state';
import type { FieldWords, Survey } from './survey';

/** Facets that are shown without being asked for. */
const MOST_PROPOSED = 8;
/** Terms shown at first. */
export const FIRST_TERMS = 8;

/** Kinds of facets that a field can have, the best one first. */
export function kindsFor({ kind, nested }: Field): readonly FacetKind[] {
  switch (kind) {
    case 'keyword':
      return ['terms', 'tree'];
    case 'boolean':
    case 'ip':
    case 'text':
      return ['terms'];
    case 'number':
      return ['histogram', 'terms'];
    case 'date':
      return ['dates'];
    case 'geo_point':
      return nested === null ? ['rings'] : [];
    case 'other':
      return [];
  }
}

/** The facets that are worth showing, those of few values first. */
export function proposedFacets(fields: readonly Field[], survey: Survey): FacetChoice[] {
  const ranked = fields.flatMap((field) => {
    const rank = field.isPartial ? null : rankOf(field, survey);
    const choice = rank === null ? null : newFacet(field, survey);
    return rank === null || choice === null ? [] : [{ rank, choice }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_PROPOSED)
    .map(({ choice }) => choice);
}

/** Where a field stands among the proposals; null: it is none. */
function rankOf(field: Field, { total, words, figures, places }: Survey): number | null {
  const { path, kind } = field;
  switch (kind) {
    case 'keyword':
    case 'boolean':
    case 'ip': {
      const found = words.get(path);
      if (found === undefined || found.cardinality < 2) return null;
      const { cardinality, missing } = found;
      if (separatorOf(found) !== null) return 1.5;
      // Nearly every document has a value of its own: an id, not a property.
      if (cardinality > 20 && cardinality > 0.5 * (total - missing)) return null;
      return Math.log10(cardinality);
    }
    case 'date':
    case 'number': {
      const found = figures.get(path);
      if (found === undefined || found.min === found.max) return null;
      return kind === 'date' ? 2 : 3;
    }
    case 'geo_point':
      return places.has(path) ? 2.5 : null;
    case 'text':
    case 'other':
      return null;
  }
}

/** The facet that a field is shown as at first; null: it can have none. */
export function newFacet(field: Field, survey: Survey): FacetChoice | null {
  const words = survey.words.get(field.path);
  const separator = words === undefined ? null : separatorOf(words);
  const [kind] = kindsFor(field);
  if (kind === undefined) return null;
  return separator !== null && kindsFor(field).includes('tree')
    ? { kind: 'tree', field: field.path, separator }
    : { kind, field: field.path };
}

const SEPARATORS = ['::', '/', ' > ', '>', '\\', '|'];

/** What separates the levels of paths, where values are such; else null. */
export function separatorOf({ samples }: Pick<FieldWords, 'samples'>): string | null {
  const texts = samples.filter((text) => /\p{L}/u.test(text) && !text.includes('://'));
  if (texts.length < 3 || texts.length < 0.8 * samples.length) return null;
  return (
    SEPARATORS.find(
      (separator) =>
        texts.filter((text) => text.slice(1, -1).includes(separator)).length >= 0.8 * texts.length,
    ) ?? null
  );
}

/** Fields that can still be made a facet, by path. */
export function furtherFields(fields: readonly Field[], shown: readonly FacetChoice[]): Field[] {
  const taken = new Set(shown.map(({ field }) => field));
  return fields.filter((field) => kindsFor(field).length > 0 && !taken.has(field.path));
}

/** The field of the types, where there are several. */
export const TYPE_FIELD: Field = {
  path: '_type',
  kind: 'keyword',
  type: 'string',
  nested: null,
  formOf: null,
  isPartial: false,
};
