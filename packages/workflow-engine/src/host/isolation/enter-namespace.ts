import { findProgram } from '../namespaces/find-program';
import type { IsolationTools } from '../namespaces/isolation-tools';
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

/**
 * Variables that change what code a program loads, or where it writes: those that the system's loader ignores in
 * programs with privileges.
 */
const loaderVariables =
  /^(?:LD_.*|MALLOC_.*|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|NIS_PATH|TZDIR|RESOLV_HOST_CONF|RES_OPTIONS|HOSTALIASES|LOCALDOMAIN)$/;

type Environment = Readonly<Record<string, string>>;

/** @returns `rest` is safe for a program that still has the rights of the server. */
function splitLoaderVariables(env: Environment): {
  readonly loader: readonly string[];
  readonly rest: Environment;
} {
  const entries = Object.entries(env);
  return {
    loader: entries.filter(([name]) => loaderVariables.test(name)).map(([name, value]) => `${name}=${value}`),
    rest: Object.fromEntries(entries.filter(([name]) => !loaderVariables.test(name))),
  };
}
