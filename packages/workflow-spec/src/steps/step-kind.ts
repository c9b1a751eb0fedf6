import { limits } from '../limits';
import { quote } from '../quote';
import { atMost } from '../read/at-most';
import { keySpec, objectKind } from '../read/object-kind';
import { readFilledText, readLater, readText, readTextList, type Reader } from '../read/readers';
import { readEnv } from '../values/env';
import { readShell } from '../values/shell';
import { itemsOf, kindOf, report, type YamlValue } from '../yaml/yaml-value';
import { readRun, readScript } from './read-run';

/** A letter, then letters, digits and underscores; at most 40 in all. */
export const stepIdPattern = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
const reservedIds = new Set(['env', 'params', 'args', 'stdout', 'stderr', 'output', 'outputs']);

const readStepId: Reader<string> = (value) => {
  const id = readText(value);
  if (id === undefined) return undefined;
  if (!stepIdPattern.test(id)) {
    const form = `a letter, then letters, digits and underscores, ${limits.stepIdLength} at most`;
    report(value, 'invalid_step_id', `invalid step ID format ${quote(id)}: ${form}`);
    return undefined;
  }
  if (!reservedIds.has(id)) return id;
  report(value, 'invalid_step_id', `the step ID ${quote(id)} is a reserved word`);
  return undefined;
};

const readStepName: Reader<string> = (value) => {
  const name = readFilledText(value)?.trim();
  const problem = name === undefined ? undefined : stepNameProblem(name);
  if (problem === undefined) return name;
  report(value, 'invalid_step_name', problem);
  return undefined;
};

export function stepNameProblem(name: string): string | undefined {
  if (new TextEncoder().encode(name).length > limits.stepNameBytes) {
    return `step name must be ${limits.stepNameBytes} bytes or less`;
  }
  return /\p{Cc}/u.test(name) ? 'step name must not contain line breaks or control characters' : undefined;
}

const dependsBound = { limit: limits.stepDependencies, code: 'too_many_dependencies', what: 'depends' } as const;

/** The entries with their places, since most of what can be wrong with them shows only later. */
const readDepends: Reader<readonly YamlValue[]> = (value) => {
  return kindOf(value) === 'list' ? atMost(itemsOf(value), value, dependsBound) : [value];
};

export const stepKeys = {
  id: keySpec('Short name for references', readStepId),
  name: keySpec('Name that is shown and that depends refers to', readStepName),
  description: keySpec('What the step does', readText),
  run: keySpec('A command, a script of several lines, or a list of commands', readRun),
  command: keySpec('Old form of run', readRun, { replacedBy: 'run' }),
  script: keySpec('Old form of run, for a script', readScript, { replacedBy: 'run' }),
  depends: keySpec('Names or IDs of the steps that come before', readDepends),
  env: keySpec('Environment of the step', readEnv),
  working_dir: keySpec('Folder the step runs in', readFilledText, { aliases: ['dir'] }),
  shell: keySpec('Shell of the step, with its arguments', readShell),
  shell_args: keySpec('More arguments of the shell', readTextList),
  with: keySpec('Settings of run: shell, shell_args', readLater),
} as const;

export const stepKind = objectKind({
  title: 'step',
  keys: stepKeys,
  unsupported: {
    action: 'an action other than a command',
    preconditions: 'conditions for the step to run',
    continue_on: 'going on after a failed or skipped step',
    retry_policy: 'retries of a failed step',
    repeat_policy: 'repetition of the step',
    timeout_sec: 'the time limit of the step',
    signal_on_stop: 'the signal that stops the step',
    mail_on_error: 'mail when the step fails',
    stdout: 'a copy of the standard output',
    stderr: 'a copy of the standard error',
    log_output: 'the layout of the logs',
    output: 'outputs taken from the step',
    output_schema: 'the schema of the output',
    outputs: 'declared outputs of the step',
    inputs: 'inputs of a build step',
    dependencies: 'files sent along to a worker',
    container: 'a container for the step',
    parallel: 'one sub-DAG run per item',
    foreach: 'a loop over items',
    worker_selector: 'the choice of a worker',
    approval: 'an approval after the step',
    tools: 'DAGs as tools of a chat step',
    exec: 'a program without a shell, in the old form',
    shell_packages: 'packages of a nix shell',
    type: 'the kind of step, in the old form',
    config: 'settings of the executor, in the old form',
    call: 'a sub-DAG, in the old form',
    params: 'parameters of a sub-DAG, in the old form',
    llm: 'settings of a language model',
    messages: 'messages of a chat step',
    value: 'the value of a router, in the old form',
    routes: 'the routes of a router, in the old form',
    executor: 'the kind of step, in the old form',
  },
});

/** `with` beside `run`; beside an action it would hold the action's own keys. */
export const runSettingsKind = objectKind({
  title: 'with of run',
  keys: { shell: stepKeys.shell, shell_args: stepKeys.shell_args },
  unsupported: { shell_packages: 'packages of a nix shell' },
});
