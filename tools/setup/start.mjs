// `npm start`: sets up what is missing, then is nothing but a window on the server.
import { spawn } from 'node:child_process';
import { ensureAll } from './ensure.mjs';
import { runScript } from './run-script.mjs';
import { inWorkspace } from './workspace.mjs';

const echoMs = 500;
const parentCheckMs = 250;

/**
 * A terminal, npm and a process group may each deliver the same Ctrl-C, and a second signal tells the server to drop
 * everything. So the server has a group of its own and gets each signal from here, once.
 */
function passSignalsTo(child) {
  let lastAt = -Infinity;
  const pass = (signal) => {
    const isEcho = Date.now() - lastAt < echoMs;
    lastAt = Date.now();
    // A closed terminal is no reason for an unclean end.
    if (!isEcho) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal);
    process.on(signal, pass);
  }
  stopWithShell(child, () => {
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

await runScript(async (args) => {
  const { node, env } = await ensureAll();
  const dist = inWorkspace('apps/workflow-api/dist');
  // The channel is for `stop-with-parent`: when this script is killed outright, the server stops as on SIGTERM.
  const server = spawn(node, ['--require', `${dist}/stop-with-parent.js`, `${dist}/main.js`, 'start-all', ...args], {
    env,
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  passSignalsTo(server);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
});
