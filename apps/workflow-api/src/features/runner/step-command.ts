import path from 'node:path';
import {
  chooseShell,
  hostEnvironment,
  runVariables,
  stepEnvironment,
  type StepCommand,
  type StepRunFacts,
} from '@weir/workflow-engine';
import { isDagName, resolveEnv, resolveText, type Dag, type Step, type StepRun } from '@weir/workflow-spec';
import type { DagRun, DagRunStep } from '../dag-runs';

export interface StepCommandOptions {
  readonly run: DagRun;
  readonly dag: Dag;
  /** The server's own environment; only an allow-list of it reaches steps. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly dagsDir: string;
  /** For DAGs and steps that name no shell. Default: `$SHELL`, else `sh`. */
  readonly defaultShell?: readonly string[] | undefined;
}

type Variables = ReadonlyMap<string, string>;

/** Works out everything about a step: references, environment, folder, shell. Throws `resolved_text_too_long`. */
export function stepCommand(options: StepCommandOptions, step: Step, files: DagRunStep): StepCommand {
  const { run, dag, hostEnv, defaultShell } = options;
  const facts: StepRunFacts = {
    dagName: run.dagName,
    runId: run.dagRunId,
    runLogFile: run.logFile,
    workDir: run.workDir,
    params: run.resolvedParams,
    stepName: step.name,
    stdoutFile: files.stdoutFile,
    stderrFile: files.stderrFile,
  };
  const params: Variables = new Map(run.resolvedParams.map(({ name, value }) => [name, value]));
  const given = new Map(Object.entries({ ...hostEnvironment(hostEnv), ...runVariables(facts) }));
  const dagEnv = resolveEnv(dag.env, { params, env: given });
  const stepEnv = resolveEnv(step.env, { params, env: new Map([...given, ...dagEnv]) });
  const env = stepEnvironment({
    host: hostEnv,
    dagEnv: Object.fromEntries(dagEnv),
    stepEnv: Object.fromEntries(stepEnv),
    declaredParams: new Set(dag.params.flatMap(({ name }) => (name === undefined ? [] : [name]))),
    facts,
  });
  const scope = { params, env: new Map(Object.entries(env)) };
  return {
    run: resolveRun(step.run, (text) => resolveText(text, scope)),
    ...chooseShell(step, dag, { configured: defaultShell, user: hostEnv.SHELL }),
    cwd: workingFolder(options, step, scope),
    env,
    stdoutFile: files.stdoutFile,
    stderrFile: files.stderrFile,
  };
}

function resolveRun(run: StepRun, resolve: (text: string) => string): StepRun {
  return run.kind === 'script'
    ? { kind: 'script', script: resolve(run.script) }
    : { kind: 'commands', commands: run.commands.map(resolve) };
}

/**
 * The step's folder, else the DAG's, else the one of this run. A relative one of the DAG goes by the folder of its
 * file, a relative one of a step by the DAG's.
 */
function workingFolder(
  { run, dag, dagsDir }: StepCommandOptions,
  step: Step,
  scope: { readonly params: Variables; readonly env: Variables },
): string {
  const resolve = (base: string, text: string): string => {
    // As one entry of an environment, the text may also hold `$NAME`.
    const folder = resolveEnv([{ name: 'folder', value: text }], scope).get('folder') ?? text;
    return path.resolve(base, folder.replace(/^~(?=\/|$)/, scope.env.get('HOME') ?? '~'));
  };
  const dagFolder = dag.workingDir === undefined ? run.workDir : resolve(sourceFolder(run, dagsDir), dag.workingDir);
  return step.workingDir === undefined ? dagFolder : resolve(dagFolder, step.workingDir);
}

function sourceFolder({ fileName, workDir }: DagRun, dagsDir: string): string {
  if (fileName === null) return workDir;
  return isDagName(fileName) ? dagsDir : path.dirname(fileName);
}
