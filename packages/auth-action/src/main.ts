import { debug, error, exportVariable, info, notice, saveState, setOutput, setSecret, warning } from '@actions/core';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createRefresherStarter } from './run/create-refresher-starter';
import { executeAction } from './run/execute-action';
import { createActionsRuntime } from './run/create-actions-runtime';
import { sleep } from './run/sleep';
import { run, type RunOptions } from './run/run';

// Set by the bundler and by the Jest configuration.
declare const WEIR_VERSION: string;
declare const WEIR_INPUT_DEFAULTS: Readonly<Record<string, string>>;

const core = { debug, error, exportVariable, info, notice, saveState, setOutput, setSecret, warning };

const options: RunOptions = {
  version: WEIR_VERSION,
  now: Date.now,
  sleep,
  random: Math.random,
  randomBytes,
  startRefresher: createRefresherStarter(path.join(__dirname, 'refresh.js'), process.env),
};

void executeAction({
  core,
  runtime: createActionsRuntime(core, { env: process.env, inputDefaults: WEIR_INPUT_DEFAULTS }),
  run: (runtime) => run(runtime, options),
  onUncaught: (listener) => void process.once('uncaughtException', listener),
  // The log is flushed first: if it is a pipe, an exit could truncate it.
  exit: (exitCode) => void process.stdout.write('', () => process.exit(exitCode)),
});
