// Runs a command beside a cluster of OpenSearch that lives as long as the command does: OPENSEARCH_URL names
// one of its nodes, OPENSEARCH_HOME the folder of the server. Without a command it runs until interrupted.
//
//   npm run opensearch                       one node
//   npm run opensearch -- --nodes 3 --port 9200
//   npm run opensearch -- --data DIR         keeps the data
//   npm run opensearch -- -- COMMAND

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { orUsage, readCount, runProgram } from '../../common/program';
import { distribution, missingTools } from './distribution';
import { OpenSearchNodes } from './nodes';

void runProgram(async () => {
  const { values, positionals } = orUsage(() =>
    parseArgs({
      allowPositionals: true,
      options: {
        nodes: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        heap: { type: 'string', default: '512m' },
      },
    }),
  );
  const count = readCount('nodes', values.nodes) ?? 1;
  const port = readCount('port', values.port);
  const { OPENSEARCH_HOME: given = '' } = process.env;
  const missing = given === '' ? missingTools() : [];
  if (missing.length > 0) {
    process.stdout.write(`skipped: OpenSearch needs ${missing.join(', ')}\n`);
    return { code: 0, summary: null };
  }
  const home = given === '' ? distribution(resolve('.cache', 'opensearch')) : given;
  const folder = values.data ?? mkdtempSync(join(tmpdir(), 'facetd-opensearch-'));
  const ports = port === undefined ? undefined : Array.from({ length: count }, (_, n) => port + n);
  const cluster = await OpenSearchNodes.start({
    ...{ home, folder: resolve(folder), count, heap: values.heap },
    ...(ports === undefined ? {} : { ports }),
  });
  try {
    const [program, ...args] = positionals;
    if (program === undefined) {
      process.stdout.write(`${cluster.urls.join(',')}\n`);
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      return { code: 0, summary: null };
    }
    const environment = { OPENSEARCH_URL: cluster.urls[0]!, OPENSEARCH_HOME: home };
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return { code: code ?? 1, summary: null };
  } finally {
    await cluster.stop();
    if (values.data === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
