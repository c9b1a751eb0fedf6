import path from 'node:path';
import {
  createContractClient,
  endProcessesOf,
  spawnProcess,
  startHostedProgram,
  temporaryFolder,
  waitFor,
  type ContractClient,
  type SpawnedProcess,
  type TemporaryFolder,
} from '@weir/test-kit';
import { workflowContract } from '@weir/workflow-contract';

/** The built program, as it is shipped. */
export const program = path.resolve(__dirname, '../../../workflow-api/dist/main.js');

/** The same as a module that runs nothing when it is loaded. */
export const programModule = path.resolve(__dirname, '../../../workflow-api/dist/program.js');

export interface StartOptions {
  readonly home?: TemporaryFolder;
  readonly command?: 'start-all' | 'server';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** When the process is ended although nobody has. Default: five minutes. */
  readonly deadlineMs?: number;
  /** A process of its own, which can be killed. Default: one that the servers of the Jest worker share. */
  readonly ownProcess?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; the text itself where it is no JSON; `undefined` for none. */
  readonly body: unknown;
}

export interface Weir {
  readonly process: SpawnedProcess;
  readonly home: TemporaryFolder;
  /** `http://127.0.0.1:<port>/api/v1` */
  readonly baseUrl: string;
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Answer>;
  readonly createClient: (token?: string) => ContractClient<typeof workflowContract>;
  /** Starts the program again on the same home folder and database, once it has ended. */
  readonly restart: (changes?: Pick<StartOptions, 'command' | 'ownProcess'>) => Promise<Weir>;
  /** Ends the process and removes its home folder. */
  readonly dispose: () => Promise<void>;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const startDeadlineMs = 60_000;

/** Starts the built server on a free loopback port and waits until it answers. */
export async function startWeir(options: StartOptions = {}): Promise<Weir> {
  const { home = temporaryFolder() } = options;
  const process = await startProcess(options, home);
  const found = await waitFor(
    () => {
      if (!process.isRunning()) return { failed: true } as const;
      return /Weir is up: (\S+)/.exec(process.stdout());
    },
    { deadlineMs: startDeadlineMs, what: 'the server to come up' },
  );
  if ('failed' in found) throw new Error(`The server ended at once. It wrote:\n${process.stdout()}${process.stderr()}`);
  const baseUrl = found[1] ?? '';
  return {
    process,
    home,
    baseUrl,
    request: (method, address, options) => send(`${baseUrl}${address}`, method, options),
    restart: (changes = {}) => startWeir({ ...options, ownProcess: false, ...changes, home }),
    createClient: (token) => createContractClient(workflowContract, { baseUrl, token }),
    dispose: async () => {
      // What a stopping server would wait for.
      await endProcessesOf(home.path);
      await process.stop({ signal: options.ownProcess ? 'SIGKILL' : 'SIGTERM' });
      await endProcessesOf(home.path);
      await home.remove();
    },
  };
}

async function startProcess(options: StartOptions, home: TemporaryFolder): Promise<SpawnedProcess> {
  const { command = 'start-all', args = [], deadlineMs = 300_000, ownProcess = false } = options;
  const env = { HOME: home.path, WEIR_HOME: home.file('weir'), WEIR_PORT: '0', ...options.env };
  if (ownProcess) {
    return spawnProcess({ command: process.execPath, args: [program, command, ...args], env, deadlineMs });
  }
  return startHostedProgram({ module: programModule, words: [command, ...args], env, userHome: home.path, deadlineMs });
}

async function send(
  url: string,
  method: string,
  { token, body, rawBody, headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, headers: response.headers, body: parseBody(await response.text()) };
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON is for the spec to judge.
    return text;
  }
}
