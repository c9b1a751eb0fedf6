import type * as toolkit from '@actions/core';
import { AppError, systemErrorCode } from '@weir/foundation';
import { appendFileSync, closeSync, constants, openSync } from 'node:fs';
import { EOL } from 'node:os';
import type { ActionsRuntime } from '../runner/actions-runtime';

type Toolkit = typeof toolkit;

/** The functions of `@actions/core` that the action uses. Passed in by name, so that the bundle contains no others. */
export type Core = Pick<
  Toolkit,
  'debug' | 'error' | 'exportVariable' | 'info' | 'notice' | 'saveState' | 'setOutput' | 'setSecret' | 'warning'
>;

export function createActionsRuntime(
  core: Core,
  { env, inputDefaults }: Pick<ActionsRuntime, 'env' | 'inputDefaults'>,
): ActionsRuntime {
  return {
    // The toolkit's reader does not distinguish a missing input from an empty one.
    input: (name) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim(),
    inputDefaults,
    env,
    debug: (text) => core.debug(text),
    info: (text) => core.info(text),
    notice: (text) => core.notice(text),
    warning: (text) => core.warning(text),
    mask: (secret) => {
      // The runner warns about a blank mask. It splits the others into lines by itself.
      if (secret.trim() !== '') core.setSecret(secret);
    },
    setOutput: (name, value) => writeRunnerFile('GITHUB_OUTPUT', () => core.setOutput(name, value)),
    exportVariable: (name, value) => writeRunnerFile('GITHUB_ENV', () => core.exportVariable(name, value)),
    saveState: (name, value) => writeRunnerFile('GITHUB_STATE', () => core.saveState(name, value)),
    writeSummary: (markdown) => {
      if (env.GITHUB_STEP_SUMMARY) appendToSummary(env.GITHUB_STEP_SUMMARY, markdown);
      else core.debug('This runner does not support step summaries.');
    },
  };
}

// The toolkit's summary imports fs.promises, which doubles the time that Node needs for its own modules.
function appendToSummary(file: string, markdown: string): void {
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    appendFileSync(descriptor, `${markdown}${EOL}`);
  } finally {
    closeSync(descriptor);
  }
}

/** Fails with `internal` and reason `runner_file_unwritable`. The message does not repeat the value. */
function writeRunnerFile(variable: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const why = systemErrorCode(cause) ?? 'it is missing';
    throw new AppError('internal', `The file of the runner in ${variable} could not be written (${why}).`, {
      reason: 'runner_file_unwritable',
      cause,
    });
  }
}
