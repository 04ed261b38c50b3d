// The mapping of an index as a tree, each field with its type and its options.

import { useState } from 'preact/hooks';
import { segment } from '../../api/client';
import { Link } from '../../components/link';
import { ErrorNotice, Loading } from '../../components/notice';
import { useClient } from '../../hooks/use-client';
import { useLoaded } from '../../hooks/use-loaded';
import { isObject, ownObject, type JsonObject } from '../../model/own';
import { newSearch } from '../../model/search-state';
import { valueText } from '../../model/values';

const DEEPEST = 32;

/** The tab. */
export function MappingTab({ index }: { readonly index: string }) {
  const client = useClient();
  const [find, setFind] = useState('');
  const { value, error } = useLoaded(index, (signal) =>
    client.get(`/${segment(index)}/_mapping`, signal),
  );
  if (error !== null) return <ErrorNotice error={error} />;
  if (value === null) return <Loading what="the mapping" />;
  const types = Object.entries(ownObject(ownObject(value, index), 'mappings'));
  return (
    <>
      <input
        type="search"
        value={find}
        placeholder="Find a field"
        aria-label="Find a field"
        onInput={({ currentTarget }) => setFind(currentTarget.value)}
      />
      {types.length === 0 && <p class="empty">There is no mapping yet.</p>}
      {types.map(([type, mapping]) => (
        <section key={type} class="mapping">
          <h2>{type}</h2>
          <Options definition={isObject(mapping) ? mapping : {}} />
          <Properties
            index={index}
            properties={ownObject(mapping, 'properties')}
            prefix=""
            find={find}
            depth={0}
          />
        </section>
      ))}
    </>
  );
}

function Properties({
  index,
  properties,
  prefix,
  find,
  depth,
}: {
  readonly index: string;
  readonly properties: JsonObject;
  readonly prefix: string;
  readonly find: string;
  readonly depth: number;
}) {
  if (depth > DEEPEST) return null;
  return (
    <ul class="fields">
      {Object.entries(properties)
        .filter(([name, definition]) => isFound(prefix + name, definition, find))
        .map(([name, definition]) => {
          if (!isObject(definition)) return null;
          const path = prefix + name;
          const below = {
            ...ownObject(definition, 'properties'),
            ...ownObject(definition, 'fields'),
          };
          const head = <FieldLine index={index} name={name} path={path} definition={definition} />;
          if (Object.keys(below).length === 0) return <li key={path}>{head}</li>;
          return (
            <li key={path}>
              <details open={depth < 2 || find !== ''}>
                <summary>{head}</summary>
                <Properties
                  index={index}
                  properties={below}
                  prefix={`${path}.`}
                  find={find}
                  depth={depth + 1}
                />
              </details>
            </li>
          );
        })}
    </ul>
  );
}

function isFound(path: string, definition: unknown, find: string): boolean {
  if (find === '' || path.toLowerCase().includes(find.toLowerCase())) return true;
  const below = { ...ownObject(definition, 'properties'), ...ownObject(definition, 'fields') };
  return Object.entries(below).some(([name, one]) => isFound(`${path}.${name}`, one, find));
}

function FieldLine({
  index,
  name,
  path,
  definition,
}: {
  readonly index: string;
  readonly name: string;
  readonly path: string;
  readonly definition: JsonObject;
}) {
  const type = valueText(definition['type'] ?? 'object');
  return (
    <span class="field-line">
      <Link
        to={{ view: 'search', search: { ...newSearch(index), text: `_exists_:${escaped(path)}` } }}
        title="Documents that have it"
      >
        {name}
      </Link>{' '}
      <span class={`type ${type}`}>{type}</span> <Options definition={definition} />
    </span>
  );
}

function escaped(path: string): string {
  return path.replace(/[\s:()[\]{}"\\/^~*?!+-]/g, '\\$&');
}

/** What a mapping says besides types and members. */
function Options({ definition }: { readonly definition: JsonObject }) {
  const options = Object.entries(definition).filter(
    ([name]) => !['type', 'properties', 'fields'].includes(name),
  );
  return (
    <code class="muted">
      {options.map(([name, value]) => `${name}: ${valueText(value)}`).join(', ')}
    </code>
  );
}
