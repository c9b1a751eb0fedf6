import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder, waitFor } from '@weir/test-kit';
import type { DagRunDetails, Node } from '@weir/workflow-contract/schemas';
import { setUpAdmin } from '../../../support/people';
import { startWeir, type StartOptions, type Weir } from '../../../support/weir-server';
import { dags } from './waiting-dags';

/** The server of the file, whose DAGs wait for a person. */
export interface DecisionsInUse {
  readonly weir: Weir;
  readonly admin: string;
  readonly killAndRestart: () => Promise<void>;
  /** Sends as an admin unless another token is given. */
  readonly post: (path: string, body?: unknown, token?: string) => ReturnType<Weir['request']>;
  readonly details: (name: string, dagRunId: string) => Promise<DagRunDetails>;
  readonly inState: (name: string, dagRunId: string, label: string) => Promise<DagRunDetails>;
  /** Starts a run and waits until it waits for a person. */
  readonly waiting: (name: string) => Promise<string>;
  readonly readLog: (name: string, dagRunId: string, step: string) => Promise<string>;
  /** Lets the slow step of `busy` end. */
  readonly goOn: (dagRunId: string) => Promise<void>;
}

/** A file that kills the server asks for a process of its own. */
export function useDecisions(options: Pick<StartOptions, 'ownProcess'> = {}): DecisionsInUse {
  let weir: Weir;
  let admin: string;
  let ids = 0;

  beforeAll(async () => {
    weir = await startWithDags(options);
    admin = await setUpAdmin(weir);
  }, 60_000);
  afterAll(() => weir.dispose());

  const post: DecisionsInUse['post'] = (address, body, token = admin) =>
    weir.request('POST', address, { token, ...(body === undefined ? {} : { body }) });
  const details: DecisionsInUse['details'] = async (name, dagRunId) =>
    (await weir.createClient(admin).getDagRunDetails({ params: { name, dagRunId } })).dagRunDetails;
  const inState: DecisionsInUse['inState'] = (name, dagRunId, label) =>
    waitFor(
      async () => {
        const run = await details(name, dagRunId);
        return run.statusLabel === label ? run : undefined;
      },
      { deadlineMs: 30_000, what: `the run ${dagRunId} of ${name} to be ${label}` },
    );

  return {
    get weir() {
      return weir;
    },
    get admin() {
      return admin;
    },
    killAndRestart: async () => {
      await weir.process.stop({ signal: 'SIGKILL' });
      weir = await weir.restart();
    },
    post,
    details,
    inState,
    waiting: async (name) => {
      const dagRunId = `run-${(ids += 1)}`;
      expect((await post(`/dags/${name}/start`, { dagRunId })).status).toBe(200);
      await inState(name, dagRunId, 'waiting');
      return dagRunId;
    },
    readLog: async (name, dagRunId, step) => {
      const answer = await weir.request('GET', `/dag-runs/${name}/${dagRunId}/steps/${step}/log`, { token: admin });
      return (answer.body as { content: string }).content.trim();
    },
    goOn: (dagRunId) => goOn(weir, dagRunId),
  };
}

export const findNode = (run: DagRunDetails, name: string): Node | undefined =>
  run.nodes.find(({ step }) => step.name === name);
export const states = (run: DagRunDetails): readonly string[] => run.nodes.map(({ statusLabel }) => statusLabel);

async function startWithDags(options: Pick<StartOptions, 'ownProcess'>): Promise<Weir> {
  const home = temporaryFolder();
  await mkdir(home.file('weir', 'dags'), { recursive: true });
  for (const [name, text] of Object.entries(dags)) await writeFile(home.file('weir', 'dags', `${name}.yaml`), text);
  return startWeir({ ...options, home, env: { WEIR_SKIP_EXAMPLES: 'true' } });
}

async function goOn(weir: Weir, dagRunId: string): Promise<void> {
  const folder = weir.home.file('weir', 'data', 'runs', 'busy');
  // The folder of a run ends in its id.
  const found = (await readdir(folder)).find((name) => name.endsWith(`_${dagRunId}`)) ?? '';
  await writeFile(path.join(folder, found, 'work', 'go'), '');
}
