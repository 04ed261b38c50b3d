// The settings of the engine over OpenSearch, a part of the table of settings.

import type { SettingDefinition } from './setting-definition';

/** Settings that count where engine.backend is opensearch. */
export const OPENSEARCH_SETTINGS: readonly SettingDefinition[] = [
  {
    name: 'opensearch.hosts',
    kind: 'list',
    byDefault: 'http://127.0.0.1:9200',
    documentation:
      'URLs of nodes of the cluster, with commas between them; requests go to those that answer.',
  },
  {
    name: 'opensearch.prefix',
    kind: 'text',
    byDefault: 'facetd',
    documentation:
      'What the names of all that is kept in the cluster begin with; nodes with the same one serve the same indices. Lower case letters, digits, - and _.',
  },
  {
    name: 'opensearch.username',
    kind: 'list',
    byDefault: '',
    documentation: 'User for Basic authentication; empty: none is sent.',
  },
  {
    name: 'opensearch.password_file',
    kind: 'list',
    byDefault: '',
    documentation: 'File that holds the password of opensearch.username and nothing else.',
  },
  {
    name: 'opensearch.certificate_authority',
    kind: 'list',
    byDefault: '',
    documentation:
      'File with certificates, PEM, by which those of the cluster are checked; empty: those of the system.',
  },
  {
    name: 'opensearch.timeout',
    kind: 'time',
    byDefault: '30s',
    atLeast: 1,
    documentation: 'How long a request may take before it is tried at another node, or given up.',
  },
  {
    name: 'opensearch.retries',
    kind: 'integer',
    byDefault: '3',
    atLeast: 0,
    documentation: 'How often a request is tried again where no answer came, or 502, 503 or 504.',
  },
  {
    name: 'opensearch.state_poll',
    kind: 'time',
    byDefault: '1s',
    atLeast: 10,
    documentation:
      'How soon a node sees what others have changed of indices, mappings and aliases.',
  },
];
