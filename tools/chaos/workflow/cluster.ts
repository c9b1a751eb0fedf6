import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findObjectStore, startObjectStore, startPostgres, temporaryFolder, type TestDatabase } from '@weir/test-kit';
import { openEffectFile, type EffectFile } from './effects';
import { createMachine, type Machine, type MachineRole } from './machine';
import { createNetwork, hostAddress, removeNetwork } from './network';

export const machineNames: Readonly<Record<MachineRole, readonly string[]>> = {
  server: ['server-1', 'server-2'],
  scheduler: ['scheduler-1', 'scheduler-2'],
  worker: ['worker-1', 'worker-2', 'worker-3', 'worker-4'],
};
export const chaosDag = 'effects';
export const tickDag = 'ticks';
/** `once` may not be executed again; the run goes on when its worker was lost. */
export const steps = ['one', 'two', 'once', 'four', 'five'] as const;

export interface Cluster {
  readonly machines: readonly Machine[];
  readonly effects: EffectFile;
  /** The address as this machine reaches it. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

const lifeTimeMs = 6 * 3_600_000;

/** The database, the store of objects, and all machines, each started. */
export async function startCluster(): Promise<Cluster> {
  const names = Object.values(machineNames).flat();
  const { python, missing } = findObjectStore();
  if (python === undefined) throw new Error(missing);
  const folder = temporaryFolder('weir-chaos-');
  const networks = await createNetwork(names);
  const undo: (() => Promise<unknown>)[] = [() => folder.remove(), () => removeNetwork(names)];
  const stop = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const postgres = await startPostgres({ address: hostAddress });
    undo.push(() => postgres.stop());
    const database = await postgres.createDatabase();
    const store = await startObjectStore(python, { address: hostAddress, deadlineMs: lifeTimeMs });
    undo.push(() => store.stop());
    await createBucket(store.endpoint);
    const effects = openEffectFile(folder.file('effects.txt'));
    await effects.create();
    const env = environment({ databaseUrl: reachable(database), endpoint: store.endpoint });
    const machines: Machine[] = [];
    for (const [role, roleNames] of Object.entries(machineNames)) {
      for (const name of roleNames) {
        const network = networks.get(name);
        if (network === undefined) continue;
        await writeDags(folder.file(name, 'weir', 'dags'), effects.file);
        const machine = createMachine({
          name,
          role: role as MachineRole,
          network,
          env,
          folder: folder.file(name),
          home: folder.file('home'),
        });
        machines.push(machine);
        undo.push(() => machine.signal('SIGKILL'));
      }
    }
    // The first one migrates the database.
    await machines[0]?.start();
    await Promise.all(machines.slice(1).map((machine) => machine.start()));
    return { machines, effects, databaseUrl: database.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function reachable({ url }: TestDatabase): string {
  const changed = new URL(url);
  changed.hostname = hostAddress;
  return changed.href;
}

function environment({ databaseUrl, endpoint }: { readonly databaseUrl: string; readonly endpoint: string }) {
  return {
    WEIR_DATABASE_URL: databaseUrl,
    WEIR_STORE_URL: 's3://weir',
    WEIR_STORE_ENDPOINT: endpoint,
    WEIR_STORE_ACCESS_KEY_ID: 'chaos',
    WEIR_STORE_SECRET_ACCESS_KEY: 'chaos',
    WEIR_AUTH_MODE: 'none',
    WEIR_SKIP_EXAMPLES: 'true',
    WEIR_STEP_ISOLATION: 'off',
    WEIR_LOG_LEVEL: 'warn',
    WEIR_WORKER_CONCURRENCY: '8',
    WEIR_QUEUES: `${chaosDag}=16`,
    WEIR_TZ: 'UTC',
  };
}

async function createBucket(endpoint: string): Promise<void> {
  const { ok, status } = await fetch(`${endpoint}/weir`, { method: 'PUT' });
  if (!ok) throw new Error(`The store answered ${status} to a new bucket.`);
}

async function writeDags(folder: string, effectsFile: string): Promise<void> {
  const script = path.resolve(__dirname, 'append-effect.sh');
  const step = (name: string, index: number): string =>
    [
      `  - id: ${name}`,
      `    run: sh ${script} ${effectsFile} ${name}`,
      ...(name === 'once' ? ['    continue_on: failed'] : ['    idempotent: true']),
      ...(index === 0 ? [] : [`    depends: ${steps[index - 1]}`]),
    ].join('\n');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, `${chaosDag}.yaml`), `steps:\n${steps.map(step).join('\n')}\n`);
  const ticks =
    'schedule: "* * * * *"\noverlap_policy: all\ncatchup_window: 1h\nsteps:\n  - run: "true"\n    idempotent: true\n';
  await writeFile(path.join(folder, `${tickDag}.yaml`), ticks);
}
