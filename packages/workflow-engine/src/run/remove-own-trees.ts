import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { isAppError, isSystemError } from '@weir/foundation';
import type { ActionContext } from '../actions/call/action-executor';
import { removeOwnTree } from '../actions/git/git-worktree-actions';
import { forgetTree, listOwnTrees, type OwnTree } from '../actions/git/own-trees';
import { openActionLog } from '../host/logs/action-log';
import { ownTreesFolder } from '../model/run-model/log-layout';
import { nodeStatus } from '../model/statuses/node-status';
import { runStatus, type RunStatus } from '../model/statuses/run-status';
import type { RunContext } from './context/run-context';
import { toActionServices } from './context/action-services';

/** All of them together; the next owner of the run tries again. */
const timeoutMs = 300_000;

/**
 * Removes the working trees of Git that the run has made and that its end makes unnecessary. Tries each of them, and
 * returns what could not be removed and why. May be called again after a crash.
 */
export async function removeOwnTrees(context: RunContext, status: RunStatus): Promise<string | undefined> {
  const folder = ownTreesFolder(context.run);
  const trees = folder === undefined ? [] : await listOwnTrees(folder);
  const unnecessary = trees.filter(({ policy }) => policy === 'on_finish' || runStatus.isSuccessful(status));
  if (folder === undefined || unnecessary.length === 0) return undefined;
  const deadline = new AbortController();
  // The stop of the run ends no cleanup, which belongs to its end.
  const cancel = context.ports.timer.start(timeoutMs, () => deadline.abort());
  const problems: string[] = [];
  try {
    for (const tree of unnecessary) {
      const problem = await removeTree(context, tree, {
        folder,
        signal: AbortSignal.any([deadline.signal, context.release]),
      });
      context.release.throwIfAborted();
      if (problem === undefined) await forgetTree(folder, tree.path);
      else problems.push(problem);
    }
  } finally {
    cancel();
  }
  await removeIfEmpty(folder);
  return problems.length === 0 ? undefined : problems.join('; ');
}

interface Attempt {
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function removeTree(context: RunContext, tree: OwnTree, attempt: Attempt): Promise<string | undefined> {
  const error = await findProblem(context, tree, attempt);
  const { policy, repository, branch, path: place } = tree;
  const fields = { cleanup: policy, repository, path: place, branch };
  if (error === undefined) {
    context.log.write('working tree removed', fields);
    return undefined;
  }
  const { masker } = context.values;
  const text = masker?.text(error) ?? error;
  context.log.write('working tree not removed', { ...fields, error: text });
  return `${policy} of git.worktree.add: ${place} was not removed: ${text}`;
}

/** Why the working tree could not be removed. */
async function findProblem({ ports, run, values, dag }: RunContext, tree: OwnTree, { folder, signal }: Attempt) {
  const file = path.join(path.dirname(run.logFile), 'worktrees.log');
  const files = { stdoutFile: file, stderrFile: file, masker: values.masker, logLimit: values.logLimit };
  const { env, enclosure } = values;
  const call = { action: 'git.worktree.remove', with: {}, cwd: folder, env, enclosure, ...files } as const;
  const maxOutputBytes = dag.maxOutputSize ?? 1_048_576;
  const log = openActionLog(files, ports.clock);
  const services = toActionServices(ports);
  const context: ActionContext = {
    call: { ...call, maxOutputBytes },
    services,
    signal,
    log,
    onStarted: () => undefined,
  };
  try {
    const outcome = await removeOwnTree(context, tree);
    return outcome === undefined || nodeStatus.isPassed(outcome.status) ? undefined : (outcome.error ?? 'git failed');
  } catch (error) {
    if (signal.aborted) return 'there was no end in time';
    if (!isAppError(error)) throw error;
    return error.message;
  } finally {
    log.close();
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isSystemError(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST')) throw error;
  }
}
