// The frame of every script here: signals, exit code, and a failure in one line.
import { constants } from 'node:os';
import { signalChildren } from './command.mjs';
import { fileSystemReason } from './failure-reason.mjs';
import { SetupError } from './workspace.mjs';

let stoppedBy;

// The script ends when its child has ended, so that nothing is left half done behind its back.
function stopOn(signal) {
  process.on(signal, () => {
    const isRepeated = stoppedBy !== undefined;
    stoppedBy = signal;
    if (!signalChildren(signal) || isRepeated) process.exit(128 + constants.signals[signal]);
  });
}

function report(error) {
  const sentence = error instanceof SetupError ? error.message : fileSystemReason(error);
  process.stderr.write(sentence === undefined ? `${error.stack}\n` : `weir: ${sentence}\n`);
}

/** Runs `main`, whose result is the exit code. */
export async function runScript(main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) stopOn(signal);
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (stoppedBy === undefined) report(error);
    process.exitCode = stoppedBy ? 128 + constants.signals[stoppedBy] : 1;
  }
}
