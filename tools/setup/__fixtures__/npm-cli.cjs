// Stands in for npm: records each call, makes what the real one would make, and fails or waits when told to.
const { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');

const args = process.argv.slice(2);
const command = args[0] === 'run' ? args[1] : args[0];

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

const makers = {
  ci() {
    rmSync('node_modules', { recursive: true, force: true });
    mkdirSync('node_modules', { recursive: true });
  },
  generate() {
    for (const name of ['sqlite', 'postgresql']) {
      mkdirSync(`packages/workflow-db/src/generated/${name}`, { recursive: true });
    }
  },
  build() {
    mkdirSync('apps/workflow-api/dist', { recursive: true });
    writeFileSync('apps/workflow-api/dist/main.js', server);
    writeFileSync('apps/workflow-api/dist/stop-with-parent.js', stopWithParent);
    mkdirSync('apps/rollout-proxy/dist', { recursive: true });
    writeFileSync('apps/rollout-proxy/dist/main.js', rolloutProxy);
  },
};

async function main() {
  appendFileSync('npm-calls.txt', `${command}\n`);
  if (existsSync(`fail-${command}`)) {
    console.error('npm error code ENOTFOUND');
    process.exit(1);
  }
  while (existsSync(`hold-${command}`)) await new Promise((resolve) => setTimeout(resolve, 20));
  makers[command]();
}

main();
