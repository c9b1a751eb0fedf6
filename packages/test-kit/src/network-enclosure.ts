import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** The arguments of Node for a program in a network of its own; PORT, SOCKET, COMMAND and its arguments follow. */
export const enclosedProgram = path.resolve(__dirname, '../src/enclosed-program.mjs');

/** Returns what this machine lacks for {@link enclosedProgram} below `unshare --net`. */
export function missingForEnclosedProgram(): string | undefined {
  const script = 'ip link set lo up && setpriv --pdeathsig KILL true';
  const { status } = spawnSync('unshare', ['--net', 'sh', '-c', script], { stdio: 'ignore' });
  return status === 0 ? undefined : 'unshare, ip and setpriv, or the right to use them';
}
