// One document as scripts see it, without an index around it.

import type { JsonObject } from '../../../../engine/json/json';
import { parseJsonObject } from '../../../../engine/json/parse';
import type { IndexMapping } from '../../../../engine/mapping/schema/index-mapping';
import { requestSteps, type RequestSteps } from '../../../../engine/script/limits';
import { bindScript, type BoundScript } from '../../../../engine/script/script';
import { planScript } from '../../../../engine/script/plan';
import type { SegmentReader } from '../../../../engine/segment/contract/reader';

type Point = readonly [number, number];
type Column =
  | { readonly kind: 'int' | 'long' | 'float' | 'double'; readonly values: readonly number[] }
  | { readonly kind: 'string'; readonly values: readonly string[] }
  | { readonly kind: 'geo'; readonly values: readonly Point[] };

const number = (kind: 'int' | 'long' | 'float' | 'double', ...values: number[]): Column => ({
  kind,
  values,
});
const text = (...values: string[]): Column => ({ kind: 'string', values });
const points = (...values: Point[]): Column => ({ kind: 'geo', values });

/** The document whose results the reference server was asked for. */
const COLUMNS = new Map<string, Column>([
  ['i', number('int', 7)],
  ['t.i', number('int', 7)],
  ['l', number('long', 12345678901)],
  ['f', number('float', Math.fround(1.1))],
  ['d', number('double', 2.5)],
  ['sh', number('int', 3)],
  ['by', number('int', 1)],
  ['dt', number('long', 1394014830456)],
  ['im', number('int', 1, 2, 3)],
  ['ip', number('long', 167772161)],
  ['dtm', number('long', 1356998400000, 1388620800000)],
  ['st', number('int', 5)],
  ['em', number('int')],
  ['ed', number('long')],
  ['o.x', number('int', 9)],
  ['big', number('long', 9007199254740992)],
  ['_timestamp', number('long')],
  ['s', text('Hello')],
  ['tx', text('brown', 'fox', 'quick')],
  ['b', text('T')],
  ['sm', text('a', 'b', 'c')],
  ['es', text()],
  ['_type', text('t')],
  ['_uid', text('t#1')],
  ['_all', text('01')],
  ['_id', text()],
  ['g', points([40.7, -74])],
  ['gm', points([1, 2], [3, 4])],
  ['eg', points()],
]);

const SOURCE =
  '{"i":7,"l":12345678901,"f":1.1,"d":2.5,"sh":3,"by":1,"b":true,"s":"Hello","tx":"quick brown fox",' +
  '"dt":"2014-03-05T10:20:30.456Z","g":{"lat":40.7,"lon":-74},"im":[3,1,2,3],"sm":["b","a","c"],' +
  '"gm":[{"lat":1,"lon":2},{"lat":3,"lon":4}],"st":5,' +
  '"o":{"x":9,"y":{"z":"deep","arr":[1,2.5,"q",null,true]}},"n0":null,"big":9007199254740992,"dec":1.50}';

const PARAMS =
  '{"p":3,"q":1.5,"str":"abc","lst":[1,2,"x"],"m":{"a":1,"b":[1,2]},"big":5000000000,"t":true,"nul":null}';

const STANDARD_PARAMS = parseJsonObject(PARAMS);

const NAMES = [...COLUMNS.keys()];

const MAPPING = {
  types: ['t'],
  sourceFilter: () => true,
  match: () => NAMES.map((path) => ({ path, indexName: path })),
  find(name: string) {
    const column = COLUMNS.get(name);
    if (column === undefined) return null;
    const type = name.startsWith('_') ? 'meta' : 'integer';
    const field = { id: NAMES.indexOf(name) + 1, kind: column.kind };
    return { mapped: { path: name, indexName: name, store: name === 'st', type, field } };
  },
} as unknown as IndexMapping;

function columnOf(field: number): Column {
  return COLUMNS.get(NAMES[field - 1]!)!;
}

/** A segment of that one document. */
const SEGMENT = {
  record: () => ({
    type: 't',
    id: '1',
    source: Buffer.from(SOURCE),
    routing: null,
    parent: null,
    timestamp: null,
  }),
  numeric(field: number) {
    const { kind, values } = columnOf(field) as { kind: string; values: number[] };
    return {
      kind,
      docCount: 1,
      offsets: Uint32Array.of(0, values.length),
      present: null,
      high: null,
      base: 0,
      values: Float64Array.from(values),
      valueAt: (index: number) => values[index],
      longAt: (index: number) => BigInt(values[index]!),
    };
  },
  ordinals(field: number) {
    const values = columnOf(field).values as string[];
    return {
      offsets: Uint32Array.of(0, values.length),
      ordinals: Uint32Array.from(values, (_, i) => i),
      terms: { termAt: (ordinal: number) => values[ordinal] },
    };
  },
  geo(field: number) {
    const values = columnOf(field).values as Point[];
    return {
      offsets: Uint32Array.of(0, values.length),
      latitudes: Float64Array.from(values, ([latitude]) => latitude),
      longitudes: Float64Array.from(values, ([, longitude]) => longitude),
    };
  },
} as unknown as SegmentReader;

/** A script on that document. @throws EngineError when it does not compile */
export function scriptOf(
  source: string,
  lang: string | null = null,
  params: JsonObject = STANDARD_PARAMS,
  steps: RequestSteps = requestSteps(),
): BoundScript {
  const plan = planScript(
    { source, lang, params, steps },
    { indexName: 'expr-p', mapping: MAPPING, types: [] },
  );
  const script = bindScript(plan, { now: 1795261879890, variables: ['_score', 'term', '_value'] });
  script.open(SEGMENT);
  return script;
}
