// The tests of the engine over OpenSearch, against the server that OPENSEARCH_URL names: they make and delete
// indices there. Never part of `npm test`.

import { spawnSync } from 'node:child_process';

const { OPENSEARCH_URL: url } = process.env;
if (url === undefined || url === '') {
  console.log('skipped: OPENSEARCH_URL names no server (such as http://127.0.0.1:9200)');
  process.exit(0);
}
const args = ['jest', '--selectProjects', 'all', '--testPathPatterns', 'test/opensearch'];
const { status } = spawnSync('npx', [...args, '--runInBand', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
