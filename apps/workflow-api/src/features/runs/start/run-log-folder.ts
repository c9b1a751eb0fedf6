import path from 'node:path';
import { AppError } from '@weir/foundation';
import { hasArtifacts, isDagName, type Dag, type ResolvedParam } from '@weir/workflow-spec';
import { resolveConsts, resolveEnv, resolveField, type Scope } from '@weir/workflow-spec/values';

export interface RunFolderOptions {
  readonly dag: Pick<Dag, 'logDir' | 'artifacts' | 'consts' | 'env' | 'steps' | 'handlers'>;
  readonly params: readonly ResolvedParam[];
  /** See `DagRunSummary.fileName`. */
  readonly fileName: string;
  readonly dagsDir: string;
  /** The folder that `~` stands for. */
  readonly home?: string | undefined;
}

/**
 * Returns the absolute folder for the logs of a new run. `log_dir` is resolved when the run is created, from
 * constants, parameters and the `env` of the DAG. Throws `log_dir_unusable`.
 */
export function runLogFolder(options: RunFolderOptions & { readonly logDir: string }): string {
  const { logDir } = options.dag;
  return logDir === undefined ? options.logDir : resolveFolder(options, logDir, logDirUnusable);
}

/**
 * Returns the absolute folder for the artifacts of a DAG that stores them elsewhere than the server, resolved like
 * the folder of the logs. Throws `artifacts_dir_unusable`.
 */
export function ownArtifactsFolder(options: RunFolderOptions): string | undefined {
  const dir = options.dag.artifacts?.dir;
  if (dir === undefined || !hasArtifacts(options.dag)) return undefined;
  return resolveFolder(options, dir, artifactsDirUnusable);
}

type Unusable = (why: string) => AppError;

function resolveFolder(options: RunFolderOptions, text: string, unusable: Unusable): string {
  const { dag, params, fileName, dagsDir, home } = options;
  const values = new Map(params.map(({ name, value }) => [name, value]));
  const scope: Scope = {
    params: values,
    env: values,
    consts: resolveConsts(dag.consts ?? []),
  };
  const env = new Map([...values, ...resolveEnv(dag.env, scope)]);
  const folder = resolveText(text, { ...scope, env }, unusable);
  const base = isDagName(fileName) ? dagsDir : path.dirname(fileName);
  const noHome = (): never => {
    throw unusable('the server has no HOME');
  };
  return path.resolve(
    base,
    folder.replace(/^~(?=\/|$)/, () => home ?? noHome()),
  );
}

function resolveText(text: string, scope: Scope, unusable: Unusable): string {
  const unresolved: string[] = [];
  const folder = resolveField(text, { ...scope, unresolved: (reference) => unresolved.push(reference) });
  const [first] = unresolved;
  // Otherwise the reference itself would become a folder name.
  if (first !== undefined) throw unusable(`${first} is not known when the run is made`);
  if (folder.trim() === '') throw unusable('it is empty');
  if (folder.includes('\0')) throw unusable('it contains a NUL character');
  return folder;
}

function logDirUnusable(why: string): AppError {
  return new AppError('invalid_request', `The log_dir of the DAG cannot be used: ${why}.`, {
    reason: 'log_dir_unusable',
  });
}

function artifactsDirUnusable(why: string): AppError {
  return new AppError('invalid_request', `The dir of the artifacts of the DAG cannot be used: ${why}.`, {
    reason: 'artifacts_dir_unusable',
  });
}
