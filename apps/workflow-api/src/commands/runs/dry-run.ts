import { AppError } from '@weir/foundation';
import { isRunId, planDag } from '@weir/workflow-engine/model';
import type { Step } from '@weir/workflow-spec';
import { resolveParams } from '@weir/workflow-spec/values';
import { loadParamSchema } from '../../features/runs';
import type { StoreCommand } from '../shared/program-host';
import type { RunFlags } from './run-flags';
import { findRunnableTarget } from '../shared/find-runnable-target';

export interface DryRunOptions extends StoreCommand, RunFlags {
  readonly target: string;
}

/**
 * Prints what a start would execute, in a possible order. Nothing is executed or stored. Returns the exit code: 1
 * when a start would be refused.
 */
export async function dryRun(options: DryRunOptions): Promise<number> {
  const { config, print, printError, params: given, runId } = options;
  if (options.context) throw new AppError('invalid_request', 'A dry run is for this machine: use --context local.');
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  if (runId !== undefined && !isRunId(runId)) {
    throw new AppError('invalid_request', 'A run id is 1 to 64 letters, digits, "-" or "_", and not "latest".');
  }
  const declared = await loadParamSchema({ ...target, dagsDir: config.dags.folder });
  const { params, evals, problems } = resolveParams(declared, given);
  if (problems.length > 0) {
    printError(`weir: The parameters are not valid: ${problems.join('; ')}`);
    return 1;
  }
  print(`${target.dag.name}: dry run, nothing is executed`);
  printSection(print, 'run', describeRun(options));
  printSection(print, 'params', [
    ...params.map(({ name, value }) => `${name}=${JSON.stringify(value)}`),
    ...evals.map(({ name }) => `${name} is computed when the run starts`),
  ]);
  printSection(
    print,
    'steps',
    sortByDependency(target.dag.steps).map(
      (step, index) => `${index + 1}. ${step.name}: ${describeWork(step)}${describeDependencies(step)}`,
    ),
  );
  return 0;
}

function printSection(print: (text: string) => void, title: string, lines: readonly string[]): void {
  if (lines.length > 0) print([`${title}:`, ...lines.map((line) => `  ${line}`)].join('\n'));
}

function describeRun({ runId, queue, triggerType, scheduleTime }: DryRunOptions): readonly string[] {
  return [
    ...(runId === undefined ? [] : [`id ${runId}`]),
    ...(queue === undefined ? [] : [`queue ${queue}`]),
    ...(triggerType === undefined ? [] : [`trigger ${triggerType}`]),
    ...(scheduleTime === undefined ? [] : [`occurrence ${scheduleTime.toISOString()}`]),
  ];
}

/** Sorts each step after those that it waits for, and otherwise keeps the order of the file. */
function sortByDependency(steps: readonly Step[]): readonly Step[] {
  const { indegrees, dependents } = planDag(steps);
  const open = [...indegrees];
  const order = [...open.keys()].filter((index) => open[index] === 0);
  // The list grows during the loop.
  for (const index of order) {
    for (const dependent of dependents[index] ?? []) {
      const left = (open[dependent] ?? 0) - 1;
      open[dependent] = left;
      if (left === 0) order.push(dependent);
    }
  }
  return order.flatMap((index) => steps[index] ?? []);
}

/** Names only the kind of work: its text may be long, and may hold what should not appear on a screen. */
function describeWork({ run }: Step): string {
  if (run.kind === 'commands') return run.commands.length === 1 ? 'command' : `${run.commands.length} commands`;
  return run.kind === 'action' ? (run.package?.text ?? run.action) : run.kind;
}

function describeDependencies({ depends }: Step): string {
  return depends.length === 0 ? '' : `, after ${depends.join(', ')}`;
}
