import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import { actionPath } from '../../host/files/action-paths';
import { durationMs } from '../../values/text/duration';
import type { HostName } from './known-hosts';

/** Address and credentials of one host. */
export interface SshTarget extends HostName {
  readonly user: string;
  /** Private keys in PEM or OpenSSH format, tried in this order. */
  readonly keys: readonly string[];
  readonly password: string | undefined;
  readonly timeoutMs: number;
  /** Text of the known_hosts files; `undefined` accepts every key. */
  readonly knownHosts: string | undefined;
}

/** The bastion, when there is one, and the host that executes the commands. */
export type SshRoute = readonly [SshTarget, ...SshTarget[]];

const defaultTimeoutMs = 30_000;
const maxFileBytes = 4_194_304;
const usualKeys = ['id_ed25519', 'id_ecdsa', 'id_rsa'] as const;
const systemKnownHosts = '/etc/ssh/ssh_known_hosts';

type HostSettings = NonNullable<SettingsFor<'ssh.run'>['bastion']>;

/** Settings that `ssh.run` and `sftp.*` share. */
export interface RouteSettings extends HostSettings {
  readonly bastion?: HostSettings;
}

/** Reads the settings and the files that they name. */
export async function sshRoute(call: ActionCall, settings: RouteSettings): Promise<SshRoute> {
  const target = await sshTarget(call, settings, '');
  const { bastion } = settings;
  return bastion === undefined ? [target] : [await sshTarget(call, bastion, 'bastion.'), target];
}

async function sshTarget(call: ActionCall, settings: HostSettings, prefix: string): Promise<SshTarget> {
  const host = settings.host;
  if (host === undefined) throw actionFailed(`${prefix}host is missing, here and in the ssh of the DAG.`);
  const user = settings.user ?? call.env.USER;
  if (user === undefined || user === '')
    throw actionFailed(`${prefix}user is missing, here and in the ssh of the DAG.`);
  const password = settings.password;
  const isStrict = settings.strict_host_key !== false;
  return {
    host,
    user,
    password,
    port: settings.port ?? 22,
    keys: await privateKeys(call, settings, `${prefix}key`),
    timeoutMs: durationMs('timeout', settings.timeout, defaultTimeoutMs),
    knownHosts: isStrict ? await knownHosts(call, settings, `${prefix}known_host_file`) : undefined,
  };
}

async function privateKeys(call: ActionCall, settings: HostSettings, what: string): Promise<readonly string[]> {
  const file = settings.key;
  if (file !== undefined) return [await readNamed(actionPath(call, file), what)];
  if (settings.password !== undefined) return [];
  const found = await Promise.all(usualKeys.map((name) => readIfThere(userFile(call, name), what)));
  return found.filter((text) => text !== undefined);
}

async function knownHosts(call: ActionCall, settings: HostSettings, what: string): Promise<string> {
  const file = settings.known_host_file;
  if (file !== undefined) return readNamed(actionPath(call, file), what);
  const files = [userFile(call, 'known_hosts'), systemKnownHosts];
  const texts = await Promise.all(files.map((usual) => readIfThere(usual, what)));
  return texts.filter((text) => text !== undefined).join('\n');
}

function userFile(call: ActionCall, name: string): string {
  return actionPath(call, join('~', '.ssh', name));
}

async function readNamed(path: string, what: string): Promise<string> {
  const text = await readIfThere(path, what);
  if (text === undefined) throw actionFailed(`The file of ${what} does not exist.`);
  return text;
}

async function readIfThere(path: string, what: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, { encoding: 'utf8', signal: AbortSignal.timeout(10_000) });
    if (text.length <= maxFileBytes) return text;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw actionFailed(`The file of ${what} cannot be read (${code ?? 'unknown error'}).`, error);
  }
  throw actionFailed(`The file of ${what} is longer than ${maxFileBytes} bytes.`);
}
