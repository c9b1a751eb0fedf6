import { authoredSteps } from '../../model/agent';
import type { JsonValue } from '../../model/json';
import type { OutputSource, StepOutput, StreamCopy } from '../../model/outputs';
import type { Step } from '../../model/step';
import type { StepRun } from '../../model/step';
import { compact } from '../../model/compact';
import { isCallOfFile } from '../../steps/deprecated/read-sub-dag';
import type { Dag } from '../../model/dag';
import { printEntries } from './print-entries';
import { printApproval, printConditions, printContinueOn, printRepeat, printRetry } from './print-policies';
import type { Printed } from './printed';

/** Prints parallel steps of a chain as a nested list. */
export function printSteps({ steps, type }: Pick<Dag, 'steps' | 'type'>): readonly unknown[] {
  if (type !== 'chain')
    return authoredSteps({ steps }).map((step) => printStep(step, { depends: authoredDepends(step) }));
  return groupParallelSteps(steps).map((group) => {
    const printed = group.map((step) => printStep(step, {}));
    return printed.length === 1 ? printed[0] : printed;
  });
}

/** Those that follow from what the step reads are found again. */
function authoredDepends({ depends, inferred = [] }: Step): readonly string[] {
  return depends.filter((name) => !inferred.includes(name));
}

export function printHandlers({ handlers = {} }: Pick<Dag, 'handlers'>): unknown {
  const entries = Object.entries(handlers).map(([kind, step]) => [kind, printStep(step, {})]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A step starts a new group exactly when it depends on the previous step. */
function groupParallelSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || step.depends.includes(before.name)) groups.push([step]);
    else last.push(step);
  }
  return groups;
}

function printStep(step: Step, { depends }: { readonly depends?: readonly string[] }): Printed {
  return compact({
    id: step.id,
    name: step.name,
    description: step.description,
    depends: depends === undefined || depends.length === 0 ? undefined : depends,
    ...printRun(step.run, step),
    parallel: step.parallel && { items: step.parallel.items, max_concurrent: step.parallel.maxConcurrent },
    env: printEntries(step.env),
    working_dir: step.workingDir,
    container: step.container,
    worker_selector: step.workerSelector,
    dependencies: step.dependencies,
    preconditions: printConditions(step.preconditions),
    continue_on: printContinueOn(step.continueOn),
    retry_policy: printRetry(step.retryPolicy),
    repeat_policy: printRepeat(step.repeatPolicy),
    timeout_sec: step.timeoutSec,
    signal_on_stop: step.signalOnStop,
    idempotent: step.idempotent,
    mail_on_error: step.mailOnError,
    approval: printApproval(step.approval),
    ...printOutputs(step),
  });
}

function printRun(run: StepRun, { shell }: Step): Printed {
  const settings = compact({ shell });
  const beside = Object.keys(settings).length === 0 ? undefined : settings;
  switch (run.kind) {
    case 'commands':
      return { run: printCommands(run.commands), with: beside };
    case 'script':
      // A single line under `run` would be a command.
      return run.script.trim().includes('\n')
        ? { run: run.script, with: beside }
        : { script: run.script, with: beside };
    case 'action':
      if (run.package) return { action: run.package.text, with: run.with.params };
      return { action: run.action, with: Object.keys(run.with).length === 0 ? undefined : run.with };
    case 'foreach':
      return {
        foreach: compact({
          items: run.items,
          as: run.as,
          key: run.key,
          max_concurrent: run.maxConcurrent,
          steps: printSteps({ steps: run.steps, type: 'graph' }),
          collect:
            run.collect.length === 0
              ? undefined
              : Object.fromEntries(run.collect.map(({ name, value }) => [name, value])),
        }),
      };
    case 'agent':
      // Its steps are printed in its place.
      return {};
  }
}

function printCommands(commands: readonly string[]): unknown {
  const [only = ''] = commands;
  const isPlain = only === only.trim() && !only.includes('\n') && !isCallOfFile(only);
  return commands.length === 1 && isPlain ? only : commands;
}

function printOutputs(step: Step): Printed {
  return {
    stdout: printCopy(step.stdout),
    stderr: printCopy(step.stderr),
    log_output: step.logOutput,
    output: printOutput(step.output),
    output_schema: step.outputSchema,
    inputs: step.inputs,
    outputs:
      step.outputs === undefined && step.targets === undefined
        ? undefined
        : [...(step.outputs ?? []), ...(step.targets ?? [])],
  };
}

function printCopy(copy: StreamCopy | undefined): unknown {
  return copy?.kind === 'artifact' ? { artifact: copy.path } : copy?.path;
}

function printOutput(output: StepOutput | undefined): unknown {
  if (output === undefined) return undefined;
  if (output.kind === 'variable') return output.name;
  return Object.fromEntries(output.fields.map(({ name, source }) => [name, printSource(source)]));
}

function printSource(source: OutputSource): JsonValue {
  if (source.kind === 'literal') {
    const isMap = typeof source.value === 'object' && source.value !== null && !Array.isArray(source.value);
    // A map alone could be read as a source.
    return isMap ? { value: source.value } : source.value;
  }
  return compact({ from: source.kind, path: source.path, decode: source.decode, select: source.select });
}
