import { findProgram } from './find-program';

/** Absolute paths of the programs that enclose others. */
export interface IsolationTools {
  /** bubblewrap, which makes the namespaces. */
  readonly bwrap: string;
  readonly nsenter: string;
  readonly env: string;
  /** The program that a server needs when it runs as root. */
  readonly setpriv: string;
  readonly cat: string;
}

const names = ['bwrap', 'nsenter', 'env', 'setpriv', 'cat'] as const;
/** Never that of the server: whoever could write to a folder of it would be executed. */
const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/** The name of the first program that is missing, when one is. */
export function findIsolationTools(): IsolationTools | { readonly missing: string } {
  const found: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    try {
      found[name] = findProgram({ program: name, cwd: '/', env: { PATH: systemPath } });
    } catch {
      return { missing: name };
    }
  }
  return found as IsolationTools;
}
