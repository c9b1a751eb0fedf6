#!/usr/bin/env node
// Stands in for npm: records each call, makes what the real one would make, and fails or waits when told to.
const { appendFileSync, copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');

const server = `
console.log('args ' + process.argv.slice(2).join(' '));
process.once('SIGTERM', () => { console.log('stopping'); process.exit(7); });
setInterval(() => {}, 1000);
console.log('ready');
`;

const rolloutProxy = `
process.once('SIGTERM', () => process.exit(0));
setInterval(() => {}, 1000);
`;

const stopWithParent = `
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
`;

const nx = `
const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
appendFileSync('calls.txt', 'build\\n');
mkdirSync('apps/workflow-api/dist', { recursive: true });
mkdirSync('apps/rollout-proxy/dist', { recursive: true });
writeFileSync('apps/workflow-api/dist/main.js', ${JSON.stringify(server)});
writeFileSync('apps/workflow-api/dist/stop-with-parent.js', ${JSON.stringify(stopWithParent)});
writeFileSync('apps/rollout-proxy/dist/main.js', ${JSON.stringify(rolloutProxy)});
`;

async function main() {
  appendFileSync('calls.txt', `${process.argv[2]}\n`);
  if (existsSync('fail-ci')) {
    console.error('npm error code ENOTFOUND');
    process.exit(1);
  }
  rmSync('node_modules', { recursive: true, force: true });
  const parent = process.ppid;
  while (existsSync('hold-ci')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (process.ppid !== parent) process.exit(1);
  }
  mkdirSync('node_modules/nx/dist/bin', { recursive: true });
  writeFileSync('node_modules/nx/dist/bin/nx.js', nx);
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
}

main();
