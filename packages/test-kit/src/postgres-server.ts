import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port';
import { postgresBinaries, serverUser, type ServerUser } from './postgres-binaries';
import { spawnProcess, type SpawnedProcess } from './spawn-process';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder';
import { waitFor } from './wait-for';

const startDeadlineMs = 60_000;
const lifeTimeMs = 3_600_000;
const userName = 'weir';

// The data is thrown away, so nothing is spent on making it survive a crash.
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_init_zero: 'off',
  max_wal_size: '8GB',
  // A database lives for seconds.
  autovacuum: 'off',
  shared_buffers: '32MB',
  // Specs run side by side, each with its own pools.
  max_connections: '500',
};

export interface PostgresServer {
  /** The URL of the server's own database; its user may create others. */
  readonly url: string;
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

export interface PostgresServerOptions {
  /** An address of this machine that it listens to besides the loopback one. */
  readonly address?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

interface ServerFiles {
  readonly folder: TemporaryFolder;
  readonly binaries: string;
  readonly data: string;
  readonly user: ServerUser | undefined;
}

/** A server on a free loopback port, with a random password and its data in a temporary folder. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = temporaryFolder('weir-postgres-');
  const password = randomBytes(16).toString('hex');
  try {
    const files = prepareFiles(folder);
    await initialise(files, password);
    const { address } = options;
    if (address !== undefined) appendFileSync(`${files.data}/pg_hba.conf`, 'host all all samenet password\n');
    const addresses = [settings.listen_addresses, ...(address === undefined ? [] : [address])].join(',');
    const port = await freePort();
    const server = await run(files, port, { ...settings, ...options.settings, listen_addresses: addresses });
    const url = `postgresql://${userName}:${password}@127.0.0.1:${port}/postgres`;
    await ready(server, url);
    return { url, log: () => server.stderr(), stop: () => stopServer(server, folder) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function prepareFiles(folder: TemporaryFolder): ServerFiles {
  const user = serverUser();
  const data = folder.file('data');
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) {
    chownSync(folder.path, user.uid, user.gid);
    chownSync(data, user.uid, user.gid);
  }
  return { folder, data, user, binaries: postgresBinaries(user, folder.file('native')) };
}

async function initialise({ folder, binaries, data, user }: ServerFiles, password: string): Promise<void> {
  const passwordFile = folder.file('password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  const command = executable(binaries, 'initdb');
  const args = [
    ...['-D', data, '-U', userName, `--pwfile=${passwordFile}`, '--auth=password'],
    ...['--encoding=UTF8', '--no-locale', '--no-sync'],
  ];
  const initdb = await spawnProcess({ command, args, ...user, cwd: folder.path, deadlineMs: startDeadlineMs });
  const { code } = await initdb.exited;
  if (code !== 0) throw startFailed(initdb, 'initdb failed');
}

function run(
  { folder, binaries, data, user }: ServerFiles,
  port: number,
  given: Readonly<Record<string, string>>,
): Promise<SpawnedProcess> {
  const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = executable(binaries, 'postgres');
  const args = ['-D', data, '-p', String(port), ...options];
  return spawnProcess({ command, args, ...user, cwd: folder.path, deadlineMs: lifeTimeMs });
}

function executable(binaries: string, name: string): string {
  return path.join(binaries, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

async function ready(server: SpawnedProcess, url: string): Promise<void> {
  const accepts = async () => {
    if (!server.isRunning()) return 'ended';
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    try {
      await client.connect();
      return 'ready';
    } finally {
      await client.end();
    }
  };
  const what = 'the PostgreSQL server to accept connections';
  if ((await waitFor(accepts, { deadlineMs: startDeadlineMs, what })) === 'ended') {
    throw startFailed(server, 'postgres ended at once');
  }
}

function startFailed(process: SpawnedProcess, what: string): Error {
  return new Error(
    `The throw-away PostgreSQL could not be started: ${what}. Set WEIR_TEST_POSTGRES_URL to use a server of your ` +
      `own. It wrote:\n${process.stdout()}${process.stderr()}`,
  );
}

async function stopServer(server: SpawnedProcess, folder: TemporaryFolder): Promise<void> {
  // This is the immediate shutdown: connections are cut, and nothing is flushed.
  await server.stop({ signal: 'SIGQUIT' });
  await folder.remove();
}
