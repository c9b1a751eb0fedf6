import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsFor } from '@weir/workflow-spec';
import { shellQuote } from '../../shell-text/shell-quote';
import type { ActionCall } from '../action-executor';
import { actionFailed } from '../action-errors';
import { actionPath } from '../action-paths';
import type { GitOptions } from './git-session';

type RemoteSettings = Pick<
  SettingsFor<'git.clone'>,
  'token' | 'username' | 'password' | 'ssh_key_path' | 'ssh_passphrase' | 'strict_host_key' | 'known_host_file'
>;

/** The user name that hosts accept beside an access token. */
const tokenUser = 'x-access-token';

/** A transfer that stands still for a minute fails. */
const patience = ['http.lowSpeedLimit=1', 'http.lowSpeedTime=60'];

/**
 * What a call of git needs to reach the remote at `url`. Credentials are in a file that is gone after the action, never
 * in arguments, in the environment or in the configuration of the repository.
 */
export async function remoteOptions(
  call: ActionCall,
  settings: RemoteSettings,
  { url, privateFolder }: { readonly url: string; readonly privateFolder: string },
): Promise<GitOptions> {
  const origin = webOrigin(url);
  const secret = settings.token ?? settings.password;
  if (secret !== undefined && origin === undefined) {
    throw actionFailed('token and password are for repositories with an http or https URL. Use ssh_key_path.');
  }
  const answers = [
    ...(origin === undefined || secret === undefined ? [] : webAnswers(origin, settings.username ?? tokenUser, secret)),
    ...(settings.ssh_passphrase === undefined ? [] : [["'Enter passphrase for '*", settings.ssh_passphrase] as const]),
  ];
  const askpass = join(privateFolder, 'askpass');
  await writeFile(askpass, askpassScript(answers), { mode: 0o700 });
  return {
    env: {
      GIT_ASKPASS: askpass,
      SSH_ASKPASS: askpass,
      SSH_ASKPASS_REQUIRE: 'force',
      GIT_SSH_COMMAND: sshCommand(call, settings),
    },
    // Helpers of the host would answer before, and would store what they are told.
    config: [...patience, ...(secret === undefined ? [] : ['credential.helper='])],
  };
}

/** `https://host:port` in lower case, for a URL of the web. */
function webOrigin(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return undefined;
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch (error) {
    throw actionFailed('The URL of the repository is not valid.', error);
  }
}

/** Patterns of the questions of git, which name the host: another one, behind a redirection, gets no answer. */
function webAnswers(origin: string, user: string, secret: string) {
  const [scheme = '', host = ''] = origin.split('//');
  return [
    [`"Username for '"${shellQuote(origin)}"': "`, user],
    [`"Password for '"${shellQuote(`${scheme}//`)}*${shellQuote(`@${host}`)}"': "`, secret],
  ] as const;
}

/** A program that prints the answer to the question in its first argument. */
function askpassScript(answers: readonly (readonly [pattern: string, answer: string])[]): string {
  const cases = answers.map(([pattern, answer]) => `${pattern}) printf '%s\\n' ${shellQuote(answer)} ;;`);
  return ['#!/bin/sh', 'case "$1" in', ...cases, '*) exit 1 ;;', 'esac', ''].join('\n');
}

function sshCommand(call: ActionCall, settings: RemoteSettings): string {
  const { ssh_key_path: key, known_host_file: known } = settings;
  const isStrict = settings.strict_host_key !== false;
  const options = [
    // The passphrase must never be the answer to a host that asks for a password.
    'PasswordAuthentication=no',
    'KbdInteractiveAuthentication=no',
    'ConnectTimeout=30',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    `StrictHostKeyChecking=${isStrict ? 'yes' : 'no'}`,
    ...(known === undefined ? [] : [`UserKnownHostsFile=${quoted(actionPath(call, known))}`]),
    ...(key === undefined ? [] : ['IdentitiesOnly=yes']),
  ];
  const words = ['ssh', ...options.flatMap((option) => ['-o', option])];
  if (key !== undefined) words.push('-i', actionPath(call, key));
  return words.map(shellQuote).join(' ');
}

/** As in a configuration of ssh, which splits names of files at blanks. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
