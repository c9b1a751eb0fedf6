// `npm start`: sets up what is missing, then is nothing but a window on the two servers.
import { spawn } from 'node:child_process';
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';
import { inWorkspace } from './workspace.mjs';

const echoMs = 500;
const parentCheckMs = 250;

/**
 * A terminal, npm and a process group may each deliver the same Ctrl-C, and a second signal tells the server to drop
 * everything. So each server has a group of its own and gets each signal from here, once.
 */
function passSignalsTo(children) {
  let lastAt = -Infinity;
  const pass = (signal) => {
    const isEcho = Date.now() - lastAt < echoMs;
    lastAt = Date.now();
    // A closed terminal is no reason for an unclean end.
    if (isEcho) return;
    for (const child of children) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, pass);
  }
  stopWithShell(children[0], () => {
    if (lastAt === -Infinity) pass('SIGTERM');
  });
}

// npm starts this script through a shell. A signal to npm ends that shell and goes no further, so its end is the signal.
function stopWithShell(child, stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    stop();
  }, parentCheckMs);
  child.once('exit', () => clearInterval(timer));
}

function startServer({ node, env }, app, args) {
  const stopWithParent = inWorkspace('apps/workflow-api/dist/stop-with-parent.js');
  // The channel is for `stop-with-parent`: when this script is killed outright, the servers stop as on SIGTERM.
  return spawn(node, ['--require', stopWithParent, inWorkspace(`apps/${app}/dist/main.js`), ...args], {
    env,
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
}

function ended(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}

await runScript(async (args) => {
  const runtime = await ensureAll();
  const api = startServer(runtime, 'workflow-api', ['start-all', ...args]);
  const proxy = startServer(runtime, 'rollout-proxy', []);
  passSignalsTo([api, proxy]);
  const proxyEnded = ended(proxy).then((code) => {
    // The workflow API needs nothing of it.
    if (code !== 0 && api.exitCode === null) {
      process.stderr.write('weir: the rollout proxy has ended; the workflow API goes on\n');
    }
  });
  const code = await ended(api);
  proxy.kill('SIGTERM');
  await proxyEnded;
  return code;
});
