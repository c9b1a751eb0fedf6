import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from './free-port';
import { spawnProcess } from './spawn-process';
import { waitFor } from './wait-for';

/** A store with the interface of S3 (moto) on a free loopback port. It takes any credentials. */
export interface ObjectStore {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** The Python that has the store, or the reason why this machine has none. */
export type ObjectStorePython =
  { readonly python: string; readonly missing?: undefined } | { readonly python?: undefined; readonly missing: string };

const repository = path.resolve(__dirname, '../../..');

/** Installs it if it is not there. */
export function findObjectStore(): ObjectStorePython {
  const script = path.join(repository, 'tools/setup/python-environment.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, 's3'], {
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status === 0) return JSON.parse(stdout) as ObjectStorePython;
  return { missing: stderr.trim() || 'the installation of the Python packages timed out' };
}

export interface ObjectStoreOptions {
  /** An address of this machine. Default: the loopback one. */
  readonly address?: string;
  /** It is killed after this many milliseconds. Default 300,000. */
  readonly deadlineMs?: number;
}

export async function startObjectStore(
  python: string,
  { address = '127.0.0.1', deadlineMs = 300_000 }: ObjectStoreOptions = {},
): Promise<ObjectStore> {
  const port = await freePort();
  const endpoint = `http://${address}:${port}`;
  const server = await spawnProcess({
    command: python,
    args: ['-m', 'moto.server', '-H', address, '-p', `${port}`],
    env: { PYTHONPYCACHEPREFIX: path.join(repository, '.runtime/python-cache') },
    deadlineMs,
  });
  const answers = (): Promise<boolean | undefined> =>
    fetch(endpoint).then(
      () => true,
      () => undefined,
    );
  await waitFor(answers, { deadlineMs: 90_000, what: 'the store to answer' });
  return {
    endpoint,
    stop: async () => {
      await server.stop({ signal: 'SIGTERM' });
    },
  };
}
