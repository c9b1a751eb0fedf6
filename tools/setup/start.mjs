// `npm start`: sets up what is missing, then runs the two servers.
import { spawn } from 'node:child_process';
import { ensureBuilt, inWorkspace } from './ensure.mjs';

const { node, env } = await ensureBuilt();
const detached = process.platform !== 'win32';

// Each server in a group of its own gets a Ctrl-C once, from here: a second one would end it at once. When this process
// is killed, `stop-with-parent` ends them as SIGTERM does.
function startServer(app, args) {
  const parts = [inWorkspace('apps/workflow-api/dist/stop-with-parent.js'), inWorkspace(`apps/${app}/dist/main.js`)];
  return spawn(node, ['--require', ...parts, ...args], { env, stdio: [0, 1, 2, 'ipc'], detached });
}

const api = startServer('workflow-api', ['start-all', ...process.argv.slice(2)]);
const proxy = startServer('rollout-proxy', []);
api.once('exit', (code) => {
  process.exitCode = code ?? 1;
  proxy.kill('SIGTERM');
});
proxy.once('exit', (code) => {
  if (code && api.exitCode === null) process.stderr.write('weir: the rollout proxy has ended; the API goes on\n');
});

let lastSignalAt = -Infinity;
function pass(signal) {
  // The terminal and npm may each deliver the same Ctrl-C.
  const isEcho = Date.now() - lastSignalAt < 500;
  lastSignalAt = Date.now();
  if (!isEcho) for (const server of [api, proxy]) server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
