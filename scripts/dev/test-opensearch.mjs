// The tests of the engine over OpenSearch, against the server that OPENSEARCH_URL names (they make and delete
// indices there), else beside one that is started for them, where Java and Maven are there. Those that kill
// nodes start a cluster of their own by what OPENSEARCH_HOME names. Never part of `npm test`.

import { spawnSync } from 'node:child_process';

const { OPENSEARCH_URL: url = '' } = process.env;
const patterns = ['--selectProjects', 'all', '--testPathPatterns', 'test/opensearch'];
const given = process.argv.slice(2);
const jest = ['node_modules/jest/bin/jest.js', ...patterns, '--runInBand', ...given];
const beside = ['dist/scripts/dev/opensearch/main.js', '--', process.execPath];
const args = url === '' ? [...beside, ...jest] : jest;
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exit(status ?? 1);
