import path from 'node:path';
import { hostEnvironment, type HostPassthrough } from '../environment/host-environment';
import { runEnvironment } from '../environment/step-environment';
import type { Environment, RunInfo } from '../environment/run-variables';
import type { Enclosure } from '../../model/ports/step-isolation';
import type { LogLimit } from '../../model/ports/log-limits';
import type { Masker } from '../masking/masker';
import type { DagRun } from '../../model/run-model/dag-run';
import { isDagName, type Dag, type ResolvedParam } from '@weir/workflow-spec';
import { declaredParams, resolveConsts, resolveEnv, resolveField, type Scope } from '@weir/workflow-spec/values';
import { noProfileSecrets, profileVariables, type ProfileSecrets } from './profile-variables';
import { traceIdOf, type TracedRun } from './trace-ids';

export interface RunSources {
  readonly run: DagRun;
  /** The root run; the run itself when missing. */
  readonly root?: (Pick<DagRun, 'dagName' | 'dagRunId'> & TracedRun) | undefined;
  readonly dag: Dag;
  /** The server's own environment; only an allow-list of it reaches steps. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly passthrough: HostPassthrough;
  readonly dagsDir: string;
  readonly enclosure?: Enclosure | undefined;
  readonly logLimit?: LogLimit | undefined;
}

/** Everything that the strings of a run may refer to. */
export interface RunValues {
  /** Unique among all runs. */
  readonly runKey: string;
  readonly params: readonly ResolvedParam[];
  readonly info: RunInfo;
  readonly env: Environment;
  readonly scope: Scope;
  /** The shell of the user the server runs as; no run can change it. */
  readonly userShell: string | undefined;
  /** The working folder of steps, from which relative ones of theirs start; absolute. */
  readonly folder: string;
  /** Whether the folder is known: it may hold a reference that has no value yet. */
  readonly isFolderKnown: boolean;
  /** Hides the secrets in all that is stored and shown; missing in a run without secrets. */
  readonly masker?: Masker;
  /** Limits the logs of its steps; they are unlimited when it is missing. */
  readonly logLimit?: LogLimit | undefined;
  /** The enclosure in which the run's processes execute; without it, they execute as the server itself. */
  readonly enclosure?: Enclosure | undefined;
  /** The trace of a run, when it is sent. */
  readonly trace?: { readonly id: string; readonly run: TracedRun } | undefined;
}

/** Throws `resolved_text_too_long`. Without the secrets of its profile, the run has the rest of its values. */
export function resolveRunValues(
  { run, root, dag, hostEnv, passthrough, dagsDir, enclosure, logLimit }: RunSources,
  params: readonly ResolvedParam[],
  dotenv: Environment,
  secrets: ProfileSecrets = noProfileSecrets,
): RunValues {
  const info: RunInfo = {
    dagName: run.dagName,
    runId: run.dagRunId,
    runLogFile: run.logFile,
    workDir: run.workDir,
    params,
    fencingToken: run.fencingToken,
    ...(run.artifactsDir === null ? {} : { artifactsDir: run.artifactsDir }),
  };
  const given = {
    host: hostEnvironment(hostEnv, passthrough),
    declaredParams: declaredParams(dag, params),
    profile: profileVariables(run.profileLayers, secrets),
    info,
  };
  const consts = resolveConsts(dag.consts ?? []);
  const toScope = (env: Environment): Scope => ({
    params: new Map(params.map(({ name, value }) => [name, value])),
    env: new Map(Object.entries(env)),
    consts,
    context: runContext({ run, root }),
  });
  // Entries of the file may build on what the environment files hold, which win over entries of the same name.
  const dagEnv = resolveEnv(dag.env, toScope(runEnvironment({ ...given, dagEnv: {}, dotenv })));
  const env = runEnvironment({ ...given, dagEnv: Object.fromEntries(dagEnv), dotenv });
  const scope = toScope(env);
  let isFolderKnown = true;
  const folder =
    dag.workingDir === undefined
      ? defaultFolder(dag, run, dagsDir)
      : resolveFolder(sourceFolder(run, dagsDir), dag.workingDir, {
          ...scope,
          unresolved: () => (isFolderKnown = false),
        });
  return {
    runKey: run.id,
    params,
    info,
    env,
    scope,
    userShell: hostEnv.SHELL,
    folder,
    isFolderKnown,
    enclosure,
    logLimit,
    ...(dag.otel?.enabled === true ? { trace: { id: traceIdOf(root ?? run), run } } : {}),
  };
}

/** A build needs a folder that outlives the run. */
function defaultFolder({ type }: Dag, run: DagRun, dagsDir: string): string {
  return type === 'build' ? sourceFolder(run, dagsDir) : run.workDir;
}

export function resolveFolder(base: string, text: string, scope: Scope): string {
  const folder = resolveField(text, scope);
  return path.resolve(base, folder.replace(/^~(?=\/|$)/, scope.env.get('HOME') ?? '~'));
}

/** Where relative paths of the file start: its folder, or that of the run when there is no file. */
export function sourceFolder({ fileName, workDir }: Pick<DagRun, 'fileName' | 'workDir'>, dagsDir: string): string {
  if (fileName === null) return workDir;
  return isDagName(fileName) ? dagsDir : path.dirname(fileName);
}

/** In whole seconds, as scripts of existing files expect: `2026-03-13T01:00:00Z`. */
function toTime(time: Date | null | undefined): string | undefined {
  return time?.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The values of `${context.…}`, except those of the step. */
function runContext({ run, root = run }: Pick<RunSources, 'run' | 'root'>): ReadonlyMap<string, string> {
  const values: readonly (readonly [string, string | undefined])[] = [
    ['dag.name', run.dagName],
    ['run.id', run.dagRunId],
    ['run.root_name', root.dagName],
    ['run.root_id', root.dagRunId],
    ['run.started_at', toTime(run.startedAt)],
    ['run.scheduled_at', toTime(run.scheduleTime)],
    ['attempt.started_at', toTime(run.startedAt)],
    ['trigger.type', run.triggerType],
    ['paths.log_file', run.logFile],
    ['paths.work_dir', run.workDir],
    ['paths.artifacts_dir', run.artifactsDir ?? undefined],
    ['attempt.id', String(run.attempt)],
    ['profile.name', run.profile ?? undefined],
    ['profile.resolved_at', run.profile === null ? undefined : toTime(run.createdAt)],
  ];
  return new Map(values.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
}
