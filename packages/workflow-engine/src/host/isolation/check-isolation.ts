import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { enterNamespace } from './enter-namespace';
import { findIsolationTools, type IsolationTools } from '../namespaces/isolation-tools';
import { openNamespace, type Namespace } from '../namespaces/namespace';
import { realPath } from '../files/real-path';

/** The tools with which steps can be isolated on this host, or a sentence on why they cannot. */
export type IsolationCheck = { readonly tools: IsolationTools } | { readonly problem: string };

const deadlineMs = 10_000;

/** Exits with 0 when the folders are empty and the process is closed. */
const probe = `pid=$1; shift
if (: < "/proc/$pid/environ") 2>/dev/null; then exit 3; fi
for folder do for file in "$folder"/* "$folder"/.[!.]*; do if [ -e "$file" ]; then exit 4; fi; done; done`;

/** Tries it out: makes namespaces in which these folders, created when missing, are closed, and starts a process there. */
export async function checkIsolation(closed: readonly string[]): Promise<IsolationCheck> {
  if (process.platform !== 'linux') return { problem: 'only Linux has the means' };
  const tools = findIsolationTools();
  if ('missing' in tools) return { problem: `the program ${tools.missing} is not installed` };
  let namespace: Namespace | undefined;
  try {
    for (const folder of closed) await mkdir(folder, { recursive: true, mode: 0o700 });
    const folders = closed.map((folder) => realPath(folder));
    namespace = await openNamespace(tools, { closed: folders, open: [] });
    const problem = await tryOut(tools, namespace, folders);
    return problem === undefined ? { tools } : { problem };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    namespace?.close();
  }
}

async function tryOut(
  tools: IsolationTools,
  namespace: Namespace,
  folders: readonly string[],
): Promise<string | undefined> {
  const args = ['-c', probe, 'sh', String(process.pid), ...folders];
  const start = enterNamespace(tools, namespace, { program: '/bin/sh', args, cwd: '/', env: {} });
  const { program, cwd, env } = start;
  const child = spawn(program, start.args, { cwd, env, stdio: 'ignore', timeout: deadlineMs, killSignal: 'SIGKILL' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? undefined : `a process inside was not isolated (exit code ${String(code)})`;
}
