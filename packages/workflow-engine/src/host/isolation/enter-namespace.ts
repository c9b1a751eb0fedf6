import { findProgram } from '../namespaces/find-program';
import type { IsolationTools } from '../namespaces/isolation-tools';
import { splitLoaderVariables } from './loader-variables';
import { isRoot, type Namespace } from '../namespaces/namespace';
import type { ProcessStart } from '../../model/ports/step-isolation';

/**
 * With these, root could take the cover off closed folders, or enter a process that still has them. The rest is
 * root's, over the namespace only.
 */
const droppedByRoot = '-sys_admin,-sys_ptrace';

/** Throws an error with the code of the system for a program that is not there or may not be executed. */
export function enterNamespace(
  tools: IsolationTools,
  { userFd, mountFd }: Pick<Namespace, 'userFd' | 'mountFd'>,
  start: ProcessStart,
): ProcessStart {
  findProgram(start);
  const { program, args, cwd, env } = start;
  const { loader, rest } = splitLoaderVariables(env);
  // Read by a process of the same user, before it enters.
  const descriptors = `/proc/${process.pid}/fd`;
  return {
    program: tools.nsenter,
    args: [
      `--user=${descriptors}/${userFd}`,
      `--mount=${descriptors}/${mountFd}`,
      '--preserve-credentials',
      // Opened inside: through a folder from outside, `..` would lead to what is closed.
      `--wdns=${cwd}`,
      '--',
      ...(isRoot() ? [tools.setpriv, `--bounding-set=${droppedByRoot}`, `--inh-caps=${droppedByRoot}`, '--'] : []),
      // The programs before still have rights that no code of a step may get.
      ...(loader.length > 0 ? [tools.env, ...loader] : []),
      program,
      ...args,
    ],
    cwd,
    env: rest,
  };
}
