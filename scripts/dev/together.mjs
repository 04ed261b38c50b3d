// Runs npm scripts at the same time and shows the output of each when it has ended. Fails if one of them does.
//
//   node scripts/dev/together.mjs typecheck lint

import { spawn } from 'node:child_process';

function run(script) {
  const began = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (part) => output.push(part));
  child.stderr.on('data', (part) => output.push(part));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => {
      process.stdout.write(Buffer.concat(output));
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      process.stdout.write(`${script}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)\n`);
      resolve(code === 0 ? null : `${script} ended with ${code ?? signal}`);
    });
  });
}

const failures = await Promise.all(process.argv.slice(2).map(run));
if (failures.some((failure) => failure !== null)) process.exitCode = 1;
