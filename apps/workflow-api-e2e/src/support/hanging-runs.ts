import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { waitFor } from '@weir/test-kit';
import type { DagRunDetails } from '@weir/workflow-contract/schemas';
import type { Start } from './databases';
import { setUpAdmin } from './people';
import { endOfRun } from './runs';
import type { StartOptions, Weir } from './weir-server';

/**
 * Says that it is there, with its process, and stays until there is a file `again`. It says so late enough that its
 * process was recorded: one that was not is nobody's to end.
 */
export function hangIn(name: string): string {
  return `test -e $HOME/again || { sleep 1; echo $$ > $HOME/${name}.pid; exec sleep 300; }`;
}

export interface RunsOfServer {
  readonly first: Weir;
  /** Of the steps that hang. */
  readonly pids: readonly number[];
  readonly terminate: (name: string) => Promise<unknown>;
  /** Of a file below the home folder. */
  readonly lines: (name: string) => readonly string[];
  /** Starts the server again, and waits for the ends of the runs. */
  readonly goOn: () => Promise<readonly DagRunDetails[]>;
  readonly dispose: () => Promise<void>;
}

/** A server with one run of each DAG, which has come to a step that hangs. */
export async function startRuns(
  start: Start,
  dags: Readonly<Record<string, string>>,
  env: StartOptions['env'] = {},
): Promise<RunsOfServer> {
  const first = await start({ ownProcess: true, env: { WEIR_SKIP_EXAMPLES: 'true', ...env } });
  let weir = first;
  const token = await setUpAdmin(first);
  const client = first.createClient(token);
  const runs = new Map<string, string>();
  for (const [name, spec] of Object.entries(dags)) {
    await client.createNewDag({ body: { name, spec } });
    const { dagRunId } = await client.executeDag({ params: { fileName: name }, body: {} });
    runs.set(name, dagRunId);
  }
  const textOf = (name: string): string => readText(first.home.file(name));
  const pids: number[] = [];
  for (const name of runs.keys()) {
    const what = `the step of "${name}" to tell its process id`;
    pids.push(await waitFor(() => Number(textOf(`${name}.pid`)), { what }));
  }
  return {
    first,
    pids,
    terminate: (name) => client.terminateDagRun({ params: { name, dagRunId: runs.get(name) ?? '' } }),
    lines: (name) => textOf(name).split('\n').filter(Boolean),
    goOn: async () => {
      writeFileSync(first.home.file('again'), '');
      weir = await first.restart();
      return Promise.all([...runs].map(([name, dagRunId]) => endOfRun(weir, token, name, dagRunId)));
    },
    dispose: () => weir.dispose(),
  };
}

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const kill = (server: Weir) => server.process.stop({ signal: 'SIGKILL' });
