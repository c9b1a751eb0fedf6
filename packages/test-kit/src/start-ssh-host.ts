import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { freePort } from './free-port';
import { spawnProcess, type SpawnedProcess } from './spawn-process';
import { temporaryFolder } from './temporary-folder';
import { waitFor } from './wait-for';

const sshd = '/usr/sbin/sshd';
/** The folder for the privilege separation of the system's sshd, which refuses to start as root without it. */
const privilegeFolder = '/run/sshd';

/**
 * A real sshd of the current user on a free loopback port, with its own key. Its folder has keys (`client_key`, and
 * `locked_key` with the passphrase "correct horse") and several files of known hosts.
 */
export interface SshHost {
  readonly port: number;
  readonly user: string;
  /** The path of a file in its folder. */
  file(name: string): string;
  /** Parameters that every file of the folder takes. */
  readonly params: readonly string[];
  /** The host's log of each connection. */
  log(): string;
  stop(): Promise<void>;
}

/** Why there is no host to be had on this machine; `undefined` when there is one. */
export function missingSshd(): string | undefined {
  return existsSync(sshd)
    ? undefined
    : 'sshd is not installed (Debian: openssh-server; tools/scripts/install-hosts.sh)';
}

export async function startSshHost(): Promise<SshHost> {
  const home = temporaryFolder();
  const key = (name: string, ...options: readonly string[]) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-f', home.file(name), ...options], { timeout: 20_000 });
  for (const name of ['host_key', 'client_key', 'strange_key']) key(name, '-N', '');
  execFileSync('ssh-keygen', ['-q', '-t', 'rsa', '-f', home.file('host_rsa'), '-N', ''], { timeout: 20_000 });
  key('locked_key', '-N', 'correct horse');
  const publicKey = (name: string) => readFileSync(home.file(`${name}.pub`), 'utf8').trim();
  writeFileSync(home.file('authorized_keys'), `${publicKey('client_key')}\n${publicKey('locked_key')}\n`, {
    mode: 0o600,
  });
  const port = await freePort();
  writeKnownHosts(home.file, port, publicKey);
  writeFileSync(home.file('sshd_config'), formatConfig(home.file, port));
  if (userInfo().uid === 0) mkdirSync(privilegeFolder, { recursive: true, mode: 0o755 });
  const process = await spawnProcess({
    command: sshd,
    args: ['-D', '-e', '-f', home.file('sshd_config')],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    deadlineMs: 300_000,
  });
  await waitFor(() => listens(process, port), { deadlineMs: 60_000, what: 'sshd to listen' });
  const user = userInfo().username;
  return {
    port,
    user,
    file: home.file,
    params: [
      '--',
      `PORT=${port}`,
      `LOGIN=${user}`,
      `KEY=${home.file('client_key')}`,
      `KNOWN=${home.file('known_hosts')}`,
    ],
    log: () => process.stderr(),
    stop: async () => {
      await process.stop({ signal: 'SIGTERM' });
      await home.remove();
    },
  };
}

function writeKnownHosts(file: (name: string) => string, port: number, publicKey: (name: string) => string): void {
  const host = `[127.0.0.1]:${port}`;
  writeFileSync(file('known_hosts'), `# the host\n${host} ${publicKey('host_key')}\n`);
  writeFileSync(file('rsa_only'), `${host} ${publicKey('host_rsa')}\n`);
  writeFileSync(file('hashed'), `${host} ${publicKey('host_key')}\n`);
  execFileSync('ssh-keygen', ['-q', '-H', '-f', file('hashed')], { timeout: 20_000, stdio: 'ignore' });
  writeFileSync(file('nobody'), '');
  writeFileSync(file('changed'), `${host} ${publicKey('strange_key')}\n`);
  writeFileSync(file('revoked'), `${host} ${publicKey('host_key')}\n@revoked * ${publicKey('host_key')}\n`);
}

function formatConfig(file: (name: string) => string, port: number): string {
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host_key')}`,
    `HostKey ${file('host_rsa')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    `PidFile ${file('pid')}`,
    'UsePAM no',
    'StrictModes no',
    'PermitRootLogin yes',
    'PasswordAuthentication yes',
    'Subsystem sftp internal-sftp',
    'LogLevel VERBOSE',
    '',
  ].join('\n');
}

async function listens(process: SpawnedProcess, port: number): Promise<true | undefined> {
  if (!process.isRunning()) throw new Error(`sshd ended at once: ${process.stderr()}`);
  const isUp = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  return isUp || undefined;
}
