import { AppError } from '@weir/foundation';
import { isRunId, planDag } from '@weir/workflow-engine/model';
import type { Step } from '@weir/workflow-spec';
import { resolveParams } from '@weir/workflow-spec/values';
import { findChosenSteps, loadParamSchema } from '../../features/runs';
import type { StoreCommand } from '../shared/program-host';
import type { DryFormat } from '../shared/formats';
import { withApi } from '../shared/with-api';
import type { RunFlags } from './run-flags';
import { findRunnableTarget } from '../shared/find-runnable-target';

export interface DryRunOptions extends StoreCommand, RunFlags {
  readonly target: string;
  readonly format: DryFormat;
}

/** What a start would execute. */
interface DryRun {
  readonly dag: string;
  /** The settings of the command line. */
  readonly run: {
    readonly id?: string | undefined;
    readonly queue?: string | undefined;
    readonly trigger?: string | undefined;
    readonly occurrence?: string | undefined;
  };
  /** What the named profile gives the run. */
  readonly profile?: DryProfile;
  /** A parameter without a value is computed when the run starts. */
  readonly params: readonly { readonly name: string; readonly value?: string }[];
  /** In a possible order. */
  readonly steps: readonly PlannedStep[];
}

interface DryProfile {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The names of its secrets. */
  readonly secrets: readonly string[];
}

interface PlannedStep {
  readonly name: string;
  readonly id?: string | undefined;
  /** The kind of its work, without the text. */
  readonly work: string;
  readonly depends: readonly string[];
  readonly skipped: boolean;
}

/**
 * Prints what a start would execute. Nothing is executed or stored. Returns the exit code: 1 when a start would be
 * refused.
 */
export async function dryRun(options: DryRunOptions): Promise<number> {
  const { config, print, printError, params: given, runId, only, output: outputs, format } = options;
  if (options.context) throw new AppError('invalid_request', 'A dry run is for this machine: use --context local.');
  const target = await findRunnableTarget(options, options.target);
  if (target === undefined) return 1;
  if (runId !== undefined && !isRunId(runId)) {
    throw new AppError('invalid_request', 'A run id is 1 to 64 letters, digits, "-" or "_", and not "latest".');
  }
  const chosen = only === undefined ? undefined : findChosenSteps(target.dag.steps, { only, outputs });
  const declared = await loadParamSchema({ ...target, dagsDir: config.dags.folder });
  const { params, evals, problems } = resolveParams(declared, given);
  if (problems.length > 0) {
    printError(`weir: The parameters are not valid: ${problems.join('; ')}`);
    return 1;
  }
  const profile = await readProfile(options);
  const planned: DryRun = {
    dag: target.dag.name,
    run: {
      id: runId,
      queue: options.queue,
      trigger: options.triggerType,
      occurrence: options.scheduleTime?.toISOString(),
    },
    ...(profile === undefined ? {} : { profile }),
    params: [...params.map(({ name, value }) => ({ name, value })), ...evals.map(({ name }) => ({ name }))],
    steps: sortByDependency(target.dag.steps).map(({ index, step }) => ({
      name: step.name,
      id: step.id,
      work: describeWork(step),
      depends: step.depends,
      skipped: chosen !== undefined && !chosen.has(index),
    })),
  };
  print(format === 'json' ? JSON.stringify(planned, null, 2) : formatText(planned));
  return 0;
}

/** Throws what a start with this profile would throw. */
async function readProfile(options: DryRunOptions): Promise<DryProfile | undefined> {
  const { profile: profileName = '' } = options;
  if (profileName === '') return undefined;
  const path = { profileName };
  const { data } = await withApi(options, (client) => client.GET('/profiles/{profileName}', { params: { path } }));
  if (data.status === 'disabled') throw new AppError('invalid_request', `The profile "${profileName}" is disabled.`);
  return {
    name: data.name,
    variables: Object.fromEntries(
      data.entries.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value]])),
    ),
    secrets: data.entries.filter(({ kind }) => kind === 'secret').map(({ key }) => key),
  };
}

function formatProfile({ name, variables, secrets }: DryProfile): readonly string[] {
  return [
    name,
    ...Object.entries(variables).map(([key, value]) => `${key}=${JSON.stringify(value)}`),
    ...secrets.map((key) => `${key} is a secret`),
  ];
}

function formatText({ dag, run, profile, params, steps }: DryRun): string {
  return [
    `${dag}: dry run, nothing is executed`,
    ...formatSection(
      'run',
      Object.entries(run).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
    ),
    ...formatSection('profile', profile === undefined ? [] : formatProfile(profile)),
    ...formatSection(
      'params',
      params.map(({ name, value }) =>
        value === undefined ? `${name} is computed when the run starts` : `${name}=${JSON.stringify(value)}`,
      ),
    ),
    ...formatSection(
      'steps',
      steps.map(({ name, work, depends, skipped }, index) => {
        const after = depends.length === 0 ? '' : `, after ${depends.join(', ')}`;
        return `${index + 1}. ${name}: ${skipped ? 'skipped' : `${work}${after}`}`;
      }),
    ),
  ].join('\n');
}

function formatSection(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** Sorts each step after those that it waits for, and otherwise keeps the order of the file. */
function sortByDependency(steps: readonly Step[]): readonly { readonly index: number; readonly step: Step }[] {
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
  return order.flatMap((index) => {
    const step = steps[index];
    return step === undefined ? [] : [{ index, step }];
  });
}

/** Names only the kind of work: its text may be long, and may hold what should not appear on a screen. */
function describeWork({ run }: Step): string {
  if (run.kind === 'commands') return run.commands.length === 1 ? 'command' : `${run.commands.length} commands`;
  return run.kind === 'action' ? (run.package?.text ?? run.action) : run.kind;
}
