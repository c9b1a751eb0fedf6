import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellQuote } from '../../values/shell-text/shell-quote';
import type { GitOptions } from './git-session';

export interface GitAccess {
  readonly url: string;
  /** Token or password for http and https. */
  readonly secret?: string | undefined;
  /** Default: what hosts accept beside an access token. */
  readonly username?: string | undefined;
  /** Absolute path of a private key. */
  readonly sshKeyFile?: string | undefined;
  readonly sshPassphrase?: string | undefined;
  /** Absolute path. Default: that of the user. */
  readonly knownHostsFile?: string | undefined;
  /** Whether hosts have to be known. Default: yes. */
  readonly isHostChecked?: boolean;
  /** A folder that only the owner reads and that is removed after the call. */
  readonly privateFolder: string;
}

/** The user name that hosts accept beside an access token. */
const tokenUser = 'x-access-token';

/** A transfer that stands still for a minute fails. */
const patience = ['http.lowSpeedLimit=1', 'http.lowSpeedTime=60'];

/**
 * What a call of git needs to reach a repository. Credentials are in a file of the private folder, never in arguments,
 * in the environment or in a configuration, and are given to the host of the URL only.
 */
export async function prepareGitAccess(access: GitAccess): Promise<GitOptions> {
  const { url, secret, username = tokenUser, sshPassphrase, privateFolder } = access;
  const origin = webOrigin(url);
  const answers = [
    ...(origin === undefined || secret === undefined ? [] : webAnswers(origin, username, secret)),
    ...(sshPassphrase === undefined ? [] : [["'Enter passphrase for '*", sshPassphrase] as const]),
  ];
  const askpass = join(privateFolder, 'askpass');
  await writeFile(askpass, askpassScript(answers), { mode: 0o700 });
  return {
    env: {
      GIT_ASKPASS: askpass,
      SSH_ASKPASS: askpass,
      SSH_ASKPASS_REQUIRE: 'force',
      GIT_SSH_COMMAND: sshCommand(access),
    },
    // Helpers of the host would answer before, and would store what they are told.
    config: [...patience, ...(secret === undefined ? [] : ['credential.helper='])],
  };
}

/** `https://host:port` in lower case; `undefined` for a URL that is not of the web. */
export function webOrigin(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
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

function sshCommand({ sshKeyFile, knownHostsFile, isHostChecked = true }: GitAccess): string {
  const options = [
    // The passphrase must never be the answer to a host that asks for a password.
    'PasswordAuthentication=no',
    'KbdInteractiveAuthentication=no',
    'ConnectTimeout=30',
    'ServerAliveInterval=15',
    'ServerAliveCountMax=4',
    `StrictHostKeyChecking=${isHostChecked ? 'yes' : 'no'}`,
    ...(knownHostsFile === undefined ? [] : [`UserKnownHostsFile=${quoted(knownHostsFile)}`]),
    ...(sshKeyFile === undefined ? [] : ['IdentitiesOnly=yes']),
  ];
  const words = ['ssh', ...options.flatMap((option) => ['-o', option])];
  if (sshKeyFile !== undefined) words.push('-i', sshKeyFile);
  return words.map(shellQuote).join(' ');
}

/** As in a configuration of ssh, which splits names of files at blanks. */
function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
