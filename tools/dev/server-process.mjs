import { spawn } from 'node:child_process';
import { once } from 'node:events';

// The first lets runs end their steps; the second ends the server at once, and its runs resume in the next process.
const signals = [
  [0, 'SIGTERM'],
  [1000, 'SIGTERM'],
  [5000, 'SIGKILL'],
];

/** A server whose process is replaced by a new one, never while the old one runs: both use the same data and port. */
export function createServerProcess({ file, args, options, report }) {
  let child;
  let isEnding = false;
  let last = Promise.resolve();

  function start() {
    isEnding = false;
    child = spawn(file, args, options);
    child.once('exit', (code) => {
      if (!isEnding) report(`the server ended with ${code}; it starts again after the next change`);
    });
  }

  async function end() {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    isEnding = true;
    const exit = once(child, 'exit');
    const timers = signals.map(([afterMs, signal]) => setTimeout(() => child.kill(signal), afterMs));
    await exit;
    for (const timer of timers) clearTimeout(timer);
  }

  const enqueue = (work) => (last = last.then(work));
  return { restart: () => enqueue(() => end().then(start)), stop: () => enqueue(end) };
}
