import path from 'node:path';
import {
  endProcessesOf,
  spawnProcess,
  startHostedProgram,
  temporaryFolder,
  waitFor,
  type SpawnedProcess,
} from '@weir/test-kit';

const built = path.resolve(__dirname, '../../../workflow-api/dist');

export interface ServerOptions {
  /** A process of its own, which can be killed. Default: one that the servers of the Jest worker share. */
  readonly ownProcess?: boolean;
}

export interface UiServer {
  /** Of the web interface, with a slash at its end. */
  readonly url: string;
  readonly process: SpawnedProcess;
  /** Calls the API with the token of the admin, once there is one. */
  readonly call: (method: string, address: string, body?: unknown) => Promise<Response>;
  /** Creates the first admin by the API. */
  readonly setUp: () => Promise<void>;
  /** Ends the process at once, as a crash would. */
  readonly kill: () => Promise<void>;
  /** Starts it again at the same address, with what it has stored. */
  readonly startAgain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const admin = { username: 'ada', password: 'correct horse battery' };

/** Starts the built server on a free loopback port, with a new home folder. */
export async function startServer(
  env: Readonly<Record<string, string>> = {},
  { ownProcess = false }: ServerOptions = {},
): Promise<UiServer> {
  const home = temporaryFolder();
  const spawn = async (port: string) => {
    const options = {
      // One server serves all cases of a file, of which that of the screens has many.
      deadlineMs: 1_200_000,
      env: { HOME: home.path, WEIR_HOME: home.file('weir'), WEIR_PORT: port, ...env },
    };
    const process = ownProcess
      ? await spawnProcess({
          ...options,
          command: globalThis.process.execPath,
          args: [`${built}/main.js`, 'start-all'],
        })
      : startHostedProgram({ ...options, module: `${built}/program.js`, words: ['start-all'], userHome: home.path });
    const [, url = ''] = await waitFor(() => /Weir is up: (\S+)api\/v1/.exec(process.stdout()) ?? undefined, {
      deadlineMs: 60_000,
      what: 'the server to come up',
    });
    return { process, url };
  };
  const first = await spawn('0');
  const { url } = first;
  let { process } = first;
  let token: string | undefined;
  const call = (method: string, address: string, body?: unknown): Promise<Response> =>
    fetch(`${url}api/v1${address}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    get process() {
      return process;
    },
    call,
    setUp: async () => {
      const answer = await call('POST', '/auth/setup', admin);
      if (!answer.ok) throw new Error(`The set-up was answered ${answer.status}.`);
      ({ token } = (await answer.json()) as { token: string });
    },
    kill: async () => {
      await process.stop({ signal: 'SIGKILL' });
    },
    startAgain: async () => {
      ({ process } = await spawn(new URL(url).port));
    },
    stop: async () => {
      // What a stopping server would wait for.
      await endProcessesOf(home.path);
      await process.stop({ signal: ownProcess ? 'SIGKILL' : 'SIGTERM' });
      await endProcessesOf(home.path);
      await home.remove();
    },
  };
}
