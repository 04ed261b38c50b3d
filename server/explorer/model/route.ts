// The address of a view, which stands behind the `#` so that no server sees it: `#/search/movies?q=love`.
//
// Lists are parts joined by `~`, each escaped, so that names may contain anything.

import {
  newSearch,
  PAGE_SIZE,
  type Condition,
  type FacetChoice,
  type FacetKind,
  type Ring,
  type SearchState,
} from './search-state';

/** A view of the page. */
export type Route =
  | { readonly view: 'home' }
  | { readonly view: 'search'; readonly search: SearchState }
  | { readonly view: 'aliases'; readonly find: string; readonly alias: string | null }
  | { readonly view: 'indices'; readonly index: string | null; readonly tab: IndexTab }
  | { readonly view: 'node' };

/** What is shown of an index. */
export type IndexTab = (typeof INDEX_TABS)[number];
export const INDEX_TABS = ['overview', 'segments', 'mapping', 'analyze'] as const;

const FACET_KINDS: readonly FacetKind[] = ['terms', 'tree', 'histogram', 'dates', 'rings'];

function join(parts: readonly string[]): string {
  return parts.map((part) => encodeURIComponent(part).replaceAll('~', '%7E')).join('~');
}

function split(text: string): string[] {
  return text.split('~').map(unescaped);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a view, from the `#`. */
export function addressOf(route: Route): string {
  const params: [string, string][] = [];
  switch (route.view) {
    case 'home':
      return '#/';
    case 'node':
      return '#/node';
    case 'aliases':
      if (route.find !== '') params.push(['find', route.find]);
      if (route.alias !== null) params.push(['alias', route.alias]);
      return `#/aliases${queryOf(params)}`;
    case 'indices':
      if (route.index === null) return '#/indices';
      return `#/indices/${encodeURIComponent(route.index)}/${route.tab}`;
    case 'search':
      return `#/search/${encodeURIComponent(route.search.target)}${queryOf(searchParams(route.search))}`;
  }
}

function queryOf(params: readonly (readonly [string, string])[]): string {
  const text = params.map(([name, value]) => `${name}=${readable(value)}`).join('&');
  return text === '' ? '' : `?${text}`;
}

/** Escaped no more than it must be. */
function readable(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/');
}

function searchParams(search: SearchState): [string, string][] {
  const params: [string, string][] = [];
  if (search.text !== '') params.push(['q', search.text]);
  for (const condition of search.conditions) params.push(['w', join(partsOf(condition))]);
  for (const facet of search.facets ?? []) params.push(['f', join(facetParts(facet))]);
  if (search.facets?.length === 0) params.push(['f', '']);
  const { sort, document } = search;
  if (sort !== null) params.push(['sort', join([sort.field, sort.isDescending ? 'desc' : 'asc'])]);
  if (search.page > 0) params.push(['page', String(search.page + 1)]);
  if (search.size !== PAGE_SIZE) params.push(['size', String(search.size)]);
  if (search.layout !== 'cards') params.push(['as', search.layout]);
  if (document !== null) params.push(['doc', join([document.index, document.type, document.id])]);
  return params;
}

function partsOf(condition: Condition): string[] {
  const { kind, field } = condition;
  switch (condition.kind) {
    case 'in':
      return [kind, field, ...condition.values];
    case 'under':
      return [kind, field, condition.separator, ...condition.values];
    case 'range':
      return [kind, field, bound(condition.from), bound(condition.to)];
    case 'near':
      return [kind, field, condition.origin, ...condition.rings.flatMap(ringParts)];
  }
}

function ringParts({ from, to }: Ring): string[] {
  return [bound(from), bound(to)];
}

function bound(value: number | null): string {
  return value === null ? '' : String(value);
}

function readBound(text: string | undefined): number | null {
  const value = text === undefined || text === '' ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function facetParts({ kind, field, ...options }: FacetChoice): string[] {
  const parts = [kind, field];
  if (options.size !== undefined) parts.push('size', String(options.size));
  if (options.find !== undefined && options.find !== '') parts.push('find', options.find);
  if (options.separator !== undefined) parts.push('by', options.separator);
  if (options.origin !== undefined) parts.push('at', options.origin);
  for (const level of options.open ?? []) parts.push('open', level);
  return parts;
}

/** The view at an address; what cannot be read of it is passed over. */
export function routeAt(address: string): Route {
  const text = address.replace(/^#?\/?/, '');
  const mark = text.indexOf('?');
  const [view, name, tab] = (mark < 0 ? text : text.slice(0, mark)).split('/').map(unescaped);
  const params = new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1));
  switch (view) {
    case 'search':
      return { view: 'search', search: readSearch(name ?? '', params) };
    case 'aliases':
      return { view: 'aliases', find: params.get('find') ?? '', alias: params.get('alias') };
    case 'indices':
      return {
        view: 'indices',
        index: name === undefined || name === '' ? null : name,
        tab: INDEX_TABS.find((one) => one === tab) ?? 'overview',
      };
    case 'node':
      return { view: 'node' };
    case undefined:
    default:
      return { view: 'home' };
  }
}

function readSearch(target: string, params: URLSearchParams): SearchState {
  const facets = params.getAll('f');
  const [field, direction] = split(params.get('sort') ?? '');
  const [index, type, id] = split(params.get('doc') ?? '');
  return {
    ...newSearch(target),
    text: params.get('q') ?? '',
    conditions: params.getAll('w').map(split).flatMap(readCondition),
    facets: facets.length === 0 ? null : facets.map(split).flatMap(readFacet),
    sort: field ? { field, isDescending: direction === 'desc' } : null,
    page: wholeNumber(params.get('page'), 1, 1e6) - 1,
    size: wholeNumber(params.get('size'), PAGE_SIZE, 200),
    layout: params.get('as') === 'table' ? 'table' : 'cards',
    document: index && type && id ? { index, type, id } : null,
  };
}

function wholeNumber(text: string | null, byDefault: number, most: number): number {
  const value = Math.trunc(Number(text ?? byDefault));
  return value >= 1 ? Math.min(value, most) : byDefault;
}

function readCondition([kind, field, ...rest]: string[]): Condition[] {
  if (field === undefined || rest.length === 0) return [];
  const [first = ''] = rest;
  switch (kind) {
    case 'in':
      return [{ kind, field, values: rest }];
    case 'under':
      return [{ kind, field, separator: first, values: rest.slice(1) }];
    case 'range':
      return [{ kind, field, from: readBound(first), to: readBound(rest[1]) }];
    case 'near': {
      const rings: Ring[] = [];
      for (let i = 1; i < rest.length; i += 2) {
        rings.push({ from: readBound(rest[i]), to: readBound(rest[i + 1]) });
      }
      return [{ kind, field, origin: first, rings }];
    }
    case undefined:
    default:
      return [];
  }
}

function readFacet([name, field, ...options]: string[]): FacetChoice[] {
  const kind = FACET_KINDS.find((one) => one === name);
  if (kind === undefined || field === undefined) return [];
  let facet: FacetChoice = { kind, field };
  for (let i = 0; i + 1 < options.length; i += 2) {
    const value = options[i + 1] ?? '';
    switch (options[i]) {
      case 'size':
        facet = { ...facet, size: wholeNumber(value, 1, 10_000) };
        break;
      case 'find':
        facet = { ...facet, find: value };
        break;
      case 'by':
        facet = { ...facet, separator: value };
        break;
      case 'at':
        facet = { ...facet, origin: value };
        break;
      case 'open':
        facet = { ...facet, open: [...(facet.open ?? []), value] };
        break;
      case undefined:
      default:
    }
  }
  return [facet];
}
