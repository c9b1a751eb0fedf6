// Child processes: quiet ones with a log file, and visible ones that share the terminal.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { reasonFor } from './failure-reason.mjs';
import { logFolder, root, SetupError } from './workspace.mjs';

const running = new Set();

/** Passes a signal on to whatever runs now; false when nothing does. */
export function signalChildren(signal) {
  for (const child of running) child.kill(signal);
  return running.size > 0;
}

function finished(child) {
  running.add(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  }).finally(() => running.delete(child));
}

function openLog(name) {
  const file = path.join(logFolder, `${name}.log`);
  mkdirSync(logFolder, { recursive: true });
  return { file, descriptor: openSync(file, 'w') };
}

/**
 * Runs a command into `.runtime/logs/<log>.log`; a failure becomes one sentence with the place of that log. One that
 * takes longer than `limitMs` is ended.
 */
export async function runQuietly({ file, args, shell = false }, { env, log, what, cwd = root, limitMs }) {
  const output = openLog(log);
  try {
    const stdio = ['ignore', output.descriptor, output.descriptor];
    const child = spawn(file, args, { cwd, env, shell, stdio, timeout: limitMs });
    const { code, signal } = await finished(child);
    if (code === 0) return;
    const reason = signal ? `it was ended by ${signal}` : reasonFor(readFileSync(output.file, 'utf8'));
    throw new SetupError(`${what} failed: ${reason} (full log: ${path.relative(root, output.file)})`);
  } catch (error) {
    if (error.code === 'ENOENT') throw new SetupError(`${what} failed: ${file} was not found`, { cause: error });
    throw error;
  } finally {
    closeSync(output.descriptor);
  }
}

/** Runs a command on the caller's terminal and gives its exit code. */
export async function runVisibly({ file, args, shell = false }, { env, cwd = root }) {
  const { code, signal } = await finished(spawn(file, args, { cwd, env, shell, stdio: 'inherit' }));
  return code ?? (signal === 'SIGINT' ? 130 : 1);
}
