import path from 'node:path';
import { temporaryFolder } from '@weir/test-kit';
import { readActionManifest, resolveInputs, type ActionManifest } from './action-manifest';
import { createCommandFiles, emptyCommandFiles, readEffects } from './command-files';
import { watchFiles } from './leftovers';
import { createMasks, type Masks } from './masks';
import { runProcess } from './run-process';
import { runnerContext } from './runner-context';
import type {
  ActionStep,
  Condition,
  StepValues,
  ProgramStep,
  RunnerResult,
  RunnerStep,
  RunStepsOptions,
  StepResult,
  Variables,
} from './runner-types';
import { createCommandReader } from './workflow-commands';

/**
 * Runs steps in real processes like the GitHub Actions runner, then the post steps of the actions in reverse order.
 * A failed step is a result. Rejects only for what cannot be started: a folder without an action, a missing program, an
 * expression.
 */
export async function runSteps(options: RunStepsOptions): Promise<RunnerResult> {
  const root = temporaryFolder('weir-runner-');
  const folders = { home: root.file('home'), temp: root.file('temp'), toolCache: root.file('tools') };
  const context = runnerContext(options, folders);
  const job: Job = {
    options,
    context,
    home: folders.home,
    runnerTemp: folders.temp,
    masks: createMasks(options.secrets),
    env: new Map(Object.entries(options.env ?? {})),
    paths: [],
    outputs: {},
    outcomes: {},
    actions: 0,
    hasFailed: false,
  };
  const watch = watchFiles([options.workspace, folders.temp, folders.home]);
  try {
    const steps: StepResult[] = [];
    const registered: (() => Promise<StepResult>)[] = [];
    for (const [index, step] of options.steps.entries()) steps.push(...(await runStep(job, step, index, registered)));
    const posts: StepResult[] = [];
    for (const post of registered.reverse()) posts.push(await post());
    return {
      outcome: job.hasFailed ? 'failure' : 'success',
      steps,
      posts,
      env: Object.fromEntries(job.env),
      paths: job.paths,
      log: [...steps, ...posts].map(({ log }) => log).join(''),
      leftovers: watch.changed().filter(({ path: file }) => !file.includes('_runner_file_commands')),
    };
  } finally {
    await root.remove();
  }
}

interface Job {
  readonly options: RunStepsOptions;
  readonly context: Variables;
  readonly home: string;
  readonly runnerTemp: string;
  readonly masks: Masks;
  /** The variables of the job and those that steps added. */
  readonly env: Map<string, string>;
  /** The order is that of PATH: the last added folder comes first. */
  readonly paths: string[];
  readonly outputs: Record<string, Variables>;
  readonly outcomes: Record<string, StepResult['outcome']>;
  actions: number;
  hasFailed: boolean;
}

async function runStep(
  job: Job,
  step: RunnerStep,
  index: number,
  registered: (() => Promise<StepResult>)[],
): Promise<readonly StepResult[]> {
  const isEnabled = isConditionMet(job, step.if ?? 'success()');
  if ('inspect' in step) {
    const { workspace } = job.options;
    const view = { env: environment(job, {}, {}), outputs: { ...job.outputs }, workspace, runnerTemp: job.runnerTemp };
    if (isEnabled) await step.inspect(view);
    return [];
  }
  if (!isEnabled) {
    if (step.id !== undefined) job.outcomes[step.id] = 'skipped';
    return [skipped(step, index, 'main')];
  }
  if ('program' in step) {
    return [await runPhase(job, { step, index, phase: 'main', command: step.program, args: step.args ?? [] })];
  }
  const manifest = readActionManifest(step.action);
  job.actions += 1;
  const name = step.id ?? (job.actions === 1 ? '__self' : `__self_${job.actions}`);
  // The runner registers the post step when the main step starts, so it also runs after a failed main step.
  let state: Variables = {};
  registered.push(...createPost(job, step, manifest, { index, name, state: () => state }));
  const main = await runPhase(job, { ...actionPhase(job, step, manifest, name), index, phase: 'main' });
  state = main.state;
  return [main];
}

interface PostSettings {
  readonly index: number;
  readonly name: string;
  readonly state: () => Variables;
}

function createPost(job: Job, step: ActionStep, manifest: ActionManifest, { index, name, state }: PostSettings) {
  const { post } = manifest;
  if (post === undefined) return [];
  return [
    async () => {
      if (!isConditionMet(job, manifest.postIf)) return skipped(step, index, 'post');
      const saved = Object.fromEntries(Object.entries(state()).map(([key, value]) => [`STATE_${key}`, value]));
      const settings = actionPhase(job, step, manifest, name);
      const own = { ...settings.own, ...saved };
      return runPhase(job, { ...settings, own, index, phase: 'post', args: [post] });
    },
  ];
}

interface Phase {
  readonly step: ActionStep | ProgramStep;
  readonly index: number;
  readonly phase: 'main' | 'post';
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of the action, which neither the job nor the step can override. */
  readonly own?: Variables;
  readonly warnings?: readonly string[];
}

function actionPhase(job: Job, step: ActionStep, manifest: ActionManifest, name: string) {
  const inputs = resolveInputs(manifest, resolveValues(step.with, job));
  const own = {
    ...inputs.env,
    GITHUB_ACTION: name,
    GITHUB_ACTION_PATH: path.resolve(step.action),
    GITHUB_ACTION_REPOSITORY: step.uses?.repository ?? '',
    GITHUB_ACTION_REF: step.uses?.ref ?? '',
  };
  return { step, command: job.options.node, args: [manifest.main], own, warnings: inputs.warnings };
}

async function runPhase(
  job: Job,
  { step, index, phase, command, args, own = {}, warnings = [] }: Phase,
): Promise<StepResult> {
  const files = createCommandFiles(job.runnerTemp);
  const reader = createCommandReader(job.masks);
  const log = warnings.map((warning) => reader.annotate('warning', warning));
  const end = await runProcess({
    command,
    args,
    cwd: job.options.workspace,
    env: environment(job, resolveValues(step.env, job), { ...own, ...files.env }),
    deadlineMs: job.options.deadlineMs ?? 60_000,
    onLine: (line) => {
      const shown = reader.line(line);
      if (shown !== undefined) log.push(shown);
    },
  });
  const bytes = files.read();
  const effects = readEffects(bytes);
  // An action reports its own errors, so the runner adds none for its exit code.
  const needsAnnotation = end.exitCode === null || (end.exitCode !== 0 && 'program' in step);
  if (needsAnnotation) log.push(reader.annotate('error', describeExit(end)));
  log.push(...effects.errors.map((error) => reader.annotate('error', error)));
  const outcome = end.exitCode === 0 && !effects.failed ? 'success' : 'failure';
  const outputs = { ...Object.fromEntries(reader.outputs), ...effects.outputs };
  for (const [name, value] of Object.entries(effects.env)) job.env.set(name, value);
  job.paths.unshift(...[...effects.paths].reverse());
  // No step can read the outputs of a post step.
  if (phase === 'main' && step.id !== undefined) {
    job.outputs[step.id] = outputs;
    job.outcomes[step.id] = outcome;
  }
  if (outcome === 'failure' && step.continueOnError !== true) job.hasFailed = true;
  return {
    id: step.id,
    index,
    phase,
    outcome,
    exitCode: end.exitCode,
    timedOut: end.timedOut,
    outputs,
    env: effects.env,
    paths: effects.paths,
    state: { ...Object.fromEntries(reader.state), ...effects.state },
    summary: job.masks.apply(effects.summary),
    annotations: reader.annotations,
    commands: reader.commands,
    log: log.map((line) => `${line}\n`).join(''),
    raw: end.raw,
    files: bytes,
    durationMs: end.durationMs,
  };
}

function describeExit({ exitCode, timedOut }: { exitCode: number | null; timedOut: boolean }): string {
  if (timedOut) return 'The process exceeded its deadline and was killed.';
  return exitCode === null ? 'The process was ended by a signal.' : `Process completed with exit code ${exitCode}.`;
}

/** The sources in order of precedence: the runner, the step, the job, the machine. */
function environment(job: Job, ofStep: Variables, own: Variables): Record<string, string> {
  const machine = { PATH: process.env.PATH ?? '', HOME: job.home };
  const env: Record<string, string> = { ...machine, ...Object.fromEntries(job.env), ...ofStep, ...job.context, ...own };
  env.PATH = [...job.paths, env.PATH].join(path.delimiter);
  delete env.NODE_ICU_DATA;
  return env;
}

function resolveValues(value: StepValues | undefined, { outputs, outcomes }: Job): Variables {
  return typeof value === 'function' ? value(outputs, outcomes) : (value ?? {});
}

function isConditionMet(job: Job, condition: Condition): boolean {
  return condition === 'always()' || (condition === 'failure()') === job.hasFailed;
}

function skipped({ id }: ActionStep | ProgramStep, index: number, phase: 'main' | 'post'): StepResult {
  return {
    id,
    index,
    phase,
    outcome: 'skipped',
    exitCode: undefined,
    timedOut: false,
    outputs: {},
    env: {},
    paths: [],
    state: {},
    summary: '',
    annotations: [],
    commands: [],
    log: '',
    raw: Buffer.alloc(0),
    files: emptyCommandFiles,
    durationMs: 0,
  };
}
