// The documents of the demo, which the build takes out of the package vega-datasets: movies, and airports of
// the United States.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from './common/package-folder';

/** A movie, as it is indexed. */
export interface Movie {
  readonly title: string;
  readonly genre?: string;
  readonly rating?: string;
  readonly distributor?: string;
  readonly director?: string;
  readonly year?: number;
  readonly released?: string;
  readonly imdb?: number;
  readonly votes?: number;
}

const KEYWORD = { type: 'string', index: 'not_analyzed' };

/** Mapping of the movies. */
export const MOVIE_MAPPING = {
  properties: {
    title: { type: 'string' },
    genre: KEYWORD,
    rating: KEYWORD,
    distributor: KEYWORD,
    director: { type: 'string', fields: { raw: KEYWORD } },
    year: { type: 'integer' },
    released: { type: 'date' },
    imdb: { type: 'double' },
    votes: { type: 'integer' },
  },
};

/** Reads the movies; members without a value are left out. */
export async function readMovies(): Promise<(readonly [string, Movie])[]> {
  const rows = JSON.parse(await readData('movies.json')) as Record<
    string,
    string | number | null
  >[];
  return rows.map((row, i) => {
    const released = Date.parse(`${String(row['Release Date'])} UTC`);
    const year = /(\d{4})$/.exec(String(row['Release Date']))?.[1];
    const movie = {
      title: String(row['Title'] ?? 'untitled'),
      genre: row['Major Genre'],
      rating: row['MPAA Rating'],
      distributor: row['Distributor'],
      director: row['Director'],
      year: year === undefined ? null : Number(year),
      released: Number.isNaN(released) ? null : new Date(released).toISOString().slice(0, 10),
      imdb: row['IMDB Rating'],
      votes: row['IMDB Votes'],
    };
    const present = Object.entries(movie).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    return [String(i + 1), Object.fromEntries(present) as unknown as Movie] as const;
  });
}

/** Mapping of the airports. */
export const AIRPORT_MAPPING = {
  properties: {
    name: { type: 'string' },
    state: KEYWORD,
    path: KEYWORD,
    location: { type: 'geo_point' },
  },
};

/** An airport, as it is indexed. */
export interface Airport {
  readonly name: string;
  readonly state: string;
  /** `country/state/city` */
  readonly path: string;
  readonly location: { readonly lat: number; readonly lon: number };
}

/** Reads the airports. */
export async function readAirports(): Promise<(readonly [string, Airport])[]> {
  const [, ...lines] = (await readData('airports.csv')).trim().split('\n');
  return lines.flatMap((line) => {
    const cells = (line.match(/"[^"]*"|[^,]+/g) ?? []).map((cell) => cell.replaceAll('"', ''));
    const [id, name, city, state, country, lat, lon] = cells;
    const location = { lat: Number(lat), lon: Number(lon) };
    // Some lines have no state, or quotation marks in their names.
    if (id === undefined || !(Math.abs(location.lat + location.lon) < 270)) return [];
    return [
      [id, { name: name!, state: state!, path: `${country}/${state}/${city}`, location }] as const,
    ];
  });
}

function readData(name: string): Promise<string> {
  return readFile(join(packageFolder(), 'dist', 'scripts', 'demo-data', name), 'utf8');
}
