import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitEnvironment } from './git-environment';
import type { LocalCommandExecutor } from '../local-command/step-command';
import { nodeStatus } from '../../model/statuses/node-status';
import { packageFailed } from './package-errors';

/** Runs git in a folder and returns what it prints. Rejects with `package_unavailable` when it fails. */
export type RunGit = (order: GitOrder) => Promise<string>;

export interface GitOrder {
  readonly args: readonly string[];
  /** The repository; what git prints goes into files of it. */
  readonly folder: string;
  /** Whether the configuration of the user counts, which says how hosts are reached. */
  readonly isRemote: boolean;
  readonly signal: AbortSignal;
}

const shownCharacters = 400;
const maxPrintedBytes = 16_777_216;
/** A transfer that stands still for a minute fails; hooks and file monitors are programs. */
const settings = ['http.lowSpeedLimit=1', 'http.lowSpeedTime=60', 'core.hooksPath=/dev/null', 'core.fsmonitor=false'];
/** Filters of files are programs of the host. */
const withoutUser = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };
const sshCommand = 'ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=15 -oServerAliveCountMax=4';

export interface GitProgramOptions {
  readonly commands: LocalCommandExecutor;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly token?: AddressToken | undefined;
}

/** Sent to repositories below the address and to no other; the file is read for every call. */
export interface AddressToken {
  readonly address: string;
  readonly file: string;
}

/** git gets the environment of the server except its settings: it finds the credentials of its user. */
export function createGitProgram({ commands, hostEnv, token }: GitProgramOptions): RunGit {
  const passed = Object.entries(hostEnv).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('WEIR_'),
  );
  const env = { GIT_SSH_COMMAND: sshCommand, ...gitEnvironment(Object.fromEntries(passed)) };
  return async ({ args, folder, isRemote, signal }) => {
    await mkdir(folder, { recursive: true });
    const [stdoutFile, stderrFile] = [join(folder, 'printed.out'), join(folder, 'printed.err')];
    for (const file of [stdoutFile, stderrFile]) await writeFile(file, '');
    const words = settings.flatMap((each) => ['-c', each]);
    const outcome = await commands.run(
      {
        run: { kind: 'program', program: 'git', args: [...words, ...args] },
        shell: [],
        isStepShell: false,
        cwd: folder,
        env: isRemote ? { ...env, ...(await tokenSettings(env, token)) } : { ...env, ...withoutUser },
        stdoutFile,
        stderrFile,
      },
      { signal, onStarted: () => undefined },
    );
    if (nodeStatus.isSuccessful(outcome.status)) return readPrinted(stdoutFile);
    signal.throwIfAborted();
    const written = (await readFile(stderrFile, 'utf8')).trim().slice(-shownCharacters);
    throw packageFailed(`git has failed: ${written === '' ? (outcome.error ?? '') : written}`);
  };
}

/** As settings in the environment, since everybody on the host can see the arguments of programs. */
async function tokenSettings(
  env: Readonly<Record<string, string>>,
  token: GitProgramOptions['token'],
): Promise<Record<string, string>> {
  if (token === undefined) return {};
  if (isReadOnTheWay(token.address)) {
    throw packageFailed('its address is not https: the token is sent over http to this host only.');
  }
  const text = await readFile(token.file, 'utf8').catch((error: unknown) => {
    throw packageFailed('the file with the token cannot be read.', error);
  });
  const credential = Buffer.from(`x-access-token:${text.trim()}`).toString('base64');
  const address = `http.${token.address.replace(/\/+$/, '')}/`;
  const added = [
    [`${address}.extraHeader`, `Authorization: Basic ${credential}`],
    // Another host could answer a redirection and would get the token.
    [`${address}.followRedirects`, 'false'],
  ];
  const before = Number(env.GIT_CONFIG_COUNT ?? 0);
  const entries = added.flatMap(([key = '', value = ''], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(before + added.length) } as Record<string, string>;
}

/** Whether everybody between the hosts could read what is sent. */
function isReadOnTheWay(address: string): boolean {
  if (!/^http:/i.test(address)) return false;
  const { hostname } = new URL(address);
  return hostname !== 'localhost' && hostname !== '[::1]' && !/^127(?:\.\d+){3}$/.test(hostname);
}

async function readPrinted(file: string): Promise<string> {
  const printed = await readFile(file);
  if (printed.length > maxPrintedBytes) throw packageFailed('git has printed too much.');
  return printed.toString('utf8');
}
