// `npm start`: sets up what is missing, then runs the two servers.
import { spawn } from 'node:child_process';
import { ensureBuilt, inWorkspace } from './ensure.mjs';

const npmShell = process.ppid;
const { node, env } = await ensureBuilt();
const detached = process.platform !== 'win32';

// Each server has a separate process group and gets a Ctrl-C once, from here: a second one would end it at once. When
// this process is killed, `stop-with-parent` ends them as SIGTERM does.
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
  if (code && api.exitCode === null) process.stderr.write('weir: the rollout proxy has exited; the API continues\n');
});

// The terminal and npm may each deliver the same Ctrl-C.
let lastSignalAt = -Infinity;
function pass(signal) {
  if (Date.now() - lastSignalAt > 500) for (const server of [api, proxy]) server.kill(signal);
  lastSignalAt = Date.now();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
process.on('SIGHUP', () => pass('SIGTERM'));
// A signal to npm ends the shell between the two and goes no further, so the end of the shell is the signal.
const watch = setInterval(() => process.ppid !== npmShell && (clearInterval(watch), pass('SIGTERM')), 250).unref();
