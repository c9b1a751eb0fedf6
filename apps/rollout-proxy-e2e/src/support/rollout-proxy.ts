import path from 'node:path';
import { rolloutContract } from '@weir/rollout-contract';
import {
  createContractClient,
  spawnProcess,
  temporaryFolder,
  waitFor,
  type ContractClient,
  type SpawnedProcess,
  type TemporaryFolder,
} from '@weir/test-kit';

/** The built program, as in a release. */
export const program = path.resolve(__dirname, '../../../rollout-proxy/dist/main.js');

export const adminKey = 'an-admin-key-for-black-box-specs';

export interface StartOptions {
  readonly home?: TemporaryFolder;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  readonly method?: string;
  /** Default: the admin key. `null` for none. */
  readonly key?: string | null;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed JSON; empty if the body is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RolloutProxy {
  readonly process: SpawnedProcess;
  readonly home: TemporaryFolder;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly request: (address: string, options?: RequestOptions) => Promise<Answer>;
  /** Creates a client for control operations with the admin key, or with that of a session. */
  readonly createClient: (key?: string) => ContractClient<typeof rolloutContract>;
  /** Ends the process with SIGKILL, if it still runs, and starts it again on the same folder. */
  readonly restart: () => Promise<RolloutProxy>;
  /** Ends the process and removes its folder. */
  readonly dispose: () => Promise<void>;
}

const startDeadlineMs = 60_000;

/** Starts the built proxy on a free loopback port and waits until it takes model calls. */
export async function startRolloutProxy(options: StartOptions = {}): Promise<RolloutProxy> {
  const { home = temporaryFolder('weir-rollout-'), env = {} } = options;
  const process = await spawnProcess({
    command: globalThis.process.execPath,
    args: [program],
    env: {
      HOME: home.path,
      ROLLOUT_PORT: '0',
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_DATA_DIR: home.file('data'),
      ROLLOUT_END_WAIT_SECONDS: '1',
      ...env,
    },
    deadlineMs: 300_000,
  });
  const url = await waitForUrl(process);
  const request: RolloutProxy['request'] = (address, asked) => send(`${url}${address}`, asked);
  await waitFor(async () => (await request('/ready', { method: 'GET', key: null })).status === 200, {
    deadlineMs: startDeadlineMs,
    what: 'the proxy to be ready',
  });
  const stop = () => process.stop({ signal: 'SIGKILL' });
  return {
    process,
    home,
    url,
    request,
    createClient: (key = adminKey) => createContractClient(rolloutContract, { baseUrl: url, token: key }),
    restart: async () => {
      await stop();
      return startRolloutProxy({ ...options, home });
    },
    dispose: async () => {
      await stop();
      await home.remove();
    },
  };
}

async function waitForUrl(process: SpawnedProcess): Promise<string> {
  const found = await waitFor(
    () => {
      if (!process.isRunning()) return { failed: true } as const;
      return /^Rollout proxy: (\S+)/m.exec(process.stdout());
    },
    { deadlineMs: startDeadlineMs, what: 'the proxy to come up' },
  );
  if ('failed' in found) throw new Error(`The proxy ended at once. It wrote:\n${process.stdout()}${process.stderr()}`);
  return found[1] ?? '';
}

async function send(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = 'POST', key = adminKey, body, headers = {}, signal } = options;
  const late = AbortSignal.timeout(30_000);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const parsed = isJson ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : {};
  return { status: response.status, headers: response.headers, text, body: parsed };
}
