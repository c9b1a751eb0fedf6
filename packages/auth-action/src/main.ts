import {
  debug,
  error,
  exportVariable,
  info,
  notice,
  saveState,
  setOutput,
  setSecret,
  summary,
  warning,
} from '@actions/core';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryOut } from './entry/carry-out';
import { createWorkflow } from './entry/create-workflow';
import { run, type RunTools } from './run';

// Put in by the bundler, and by Jest's settings.
declare const WEIR_VERSION: string;

const core = { debug, error, exportVariable, info, notice, saveState, setOutput, setSecret, summary, warning };

const tools: RunTools = {
  version: WEIR_VERSION,
  now: Date.now,
  sleep,
  random: Math.random,
  randomBytes,
};

void carryOut({
  core,
  workflow: createWorkflow(core, process.env),
  run: (workflow) => run(workflow, tools),
  onStray: (listener) => void process.once('uncaughtException', listener),
  // Written out first: where the log is a pipe, an exit could cut it.
  end: (exitCode) => void process.stdout.write('', () => process.exit(exitCode)),
});
