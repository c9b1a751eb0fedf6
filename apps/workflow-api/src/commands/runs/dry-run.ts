import { AppError } from '@weir/foundation';
import type { WorkflowClient } from '@weir/workflow-client';
import { isRunId } from '@weir/workflow-engine/model';
import { planRun, type PlannedRun } from '../../features/runs';
import type { StoreCommand } from '../shared/program-host';
import type { DryFormat } from '../shared/formats';
import { withApi } from '../shared/with-api';
import type { RunFlags } from './run-flags';
import { findRunnableTarget, findTarget } from '../shared/find-runnable-target';
import { isRemoteName, readRemoteDag, toRequest } from './remote-run';

export interface DryRunOptions extends StoreCommand, RunFlags {
  readonly target: string;
  readonly format: DryFormat;
}

interface DryRun extends PlannedRun {
  /** The settings of the command line. */
  readonly run: {
    readonly id?: string | undefined;
    readonly queue?: string | undefined;
    readonly trigger?: string | undefined;
    readonly occurrence?: string | undefined;
  };
  /** What the named profile gives the run. */
  readonly profile?: DryProfile;
}

interface DryProfile {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The names of its secrets. */
  readonly secrets: readonly string[];
}

/**
 * Prints what a start would execute. Nothing is executed or stored. Returns the exit code: 1 when a start would be
 * refused.
 */
export async function dryRun(options: DryRunOptions): Promise<number> {
  const { print, runId, format } = options;
  if (runId !== undefined && !isRunId(runId)) {
    throw new AppError('invalid_request', 'A run id is 1 to 64 letters, digits, "-" or "_", and not "latest".');
  }
  const plan = options.context ? await planOnServer(options) : await planHere(options);
  if (plan === undefined) return 1;
  const profile = await readProfile(options);
  const { dag, params, steps } = plan;
  const run = {
    id: runId,
    queue: options.queue,
    trigger: options.triggerType,
    occurrence: options.scheduleTime?.toISOString(),
  };
  const planned: DryRun = { dag, run, ...(profile === undefined ? {} : { profile }), params, steps };
  print(format === 'json' ? JSON.stringify(planned, null, 2) : formatText(planned));
  return 0;
}

async function planHere(options: DryRunOptions): Promise<PlannedRun | undefined> {
  const { config, params, only, output: outputs } = options;
  const target = await findRunnableTarget(options, options.target);
  return target && planRun(target, { params, only, outputs }, { dagsDir: config.dags.folder });
}

/** The server plans with its version, its base configuration and its files. */
function planOnServer(options: DryRunOptions): Promise<PlannedRun | undefined> {
  const { target } = options;
  const { params, only, outputs } = toRequest(options);
  const body = { params, only, outputs };
  return withApi(options, async (client) => {
    if (isRemoteName(options)) {
      const path = { fileName: target };
      const { spec } = await readRemoteDag(client, target);
      if (await hasErrorsOnServer(client, { spec, name: target }, options)) return undefined;
      return (await client.POST('/dags/{fileName}/dry-run', { params: { path }, body })).data;
    }
    const { dag, specText: spec } = await findTarget(options, target);
    if (await hasErrorsOnServer(client, { spec, name: dag.name }, options)) return undefined;
    return (await client.POST('/dag-runs/dry-run', { body: { ...body, spec, name: dag.name } })).data;
  });
}

/** Prints the errors. */
async function hasErrorsOnServer(
  client: WorkflowClient,
  body: { readonly spec: string; readonly name: string },
  { target, printError }: DryRunOptions,
): Promise<boolean> {
  const { valid, errors } = (await client.POST('/dags/validate', { body })).data;
  if (!valid) printError([`Validation failed for ${target}`, ...errors.map((error) => `  - ${error}`)].join('\n'));
  return !valid;
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
