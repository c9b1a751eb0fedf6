import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { isAppError, type AppError } from '@weir/foundation';
import type { ActionContext } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';
import { within } from '../../host/concurrency/end-or-stop';
import { connectSsh, type SshConnection } from '../ssh/ssh-connection';
import { connectionLost } from '../ssh/ssh-errors';
import { sshRoute, type RouteSettings } from '../ssh/ssh-target';

const forgetMs = 2_000;

/** Files of another host. Paths are as the host takes them: relative ones begin at the home of the user. */
export interface SftpSession {
  readonly sftp: SFTPWrapper;
  readonly signal: AbortSignal;
  /** Waits for the answer to a request, as long as there is a connection. */
  readonly ask: <T>(send: (done: (error: Error | null | undefined, value: T) => void) => void) => Promise<T>;
  /** The same for a request whose answer has no value. */
  readonly tell: (send: (done: (error?: Error | null) => void) => void) => Promise<void>;
  /** Deletes a file if that is possible, also after a stop. */
  readonly forget: (path: string) => Promise<void>;
}

/** One connection for the work. After a stop, a part of a file is deleted, and then it is closed. */
export async function withSftp<T>(
  { call, signal }: Pick<ActionContext, 'call' | 'signal'>,
  settings: RouteSettings,
  use: (session: SftpSession) => Promise<T>,
): Promise<T> {
  const connection = await connectSsh(await sshRoute(call, settings), signal);
  const aborted = rejectOnAbort(signal);
  try {
    signal.throwIfAborted();
    const ask: SftpSession['ask'] = (send) => Promise.race([toPromise(send), connection.lost, aborted.promise]);
    const tell: SftpSession['tell'] = async (send) => {
      await ask<undefined>((done) => send((error) => done(error, undefined)));
    };
    const sftp = await openSftp(connection, ask);
    return await Promise.race([
      use({ sftp, signal, ask, tell, forget: (path) => forget(sftp, path, connection.lost) }),
      connection.lost,
    ]);
  } finally {
    aborted.dispose();
    connection.close();
  }
}

function rejectOnAbort(signal: AbortSignal) {
  let onAbort: () => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(connectionLost(signal.reason));
  });
  // Only requests that are under way await it.
  promise.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  return { promise, dispose: () => signal.removeEventListener('abort', onAbort) };
}

async function forget(sftp: SFTPWrapper, path: string, lost: Promise<never>): Promise<void> {
  const gone = toPromise<undefined>((done) => sftp.unlink(path, (error) => done(error, undefined)));
  await within(
    Promise.race([gone, lost]).catch(() => undefined),
    forgetMs,
  );
}

async function openSftp({ client }: SshConnection, ask: SftpSession['ask']): Promise<SFTPWrapper> {
  try {
    const sftp = await ask<SFTPWrapper>((done) => client.sftp(done));
    // The requests that wait for it are told the same.
    sftp.on('error', () => undefined);
    return sftp;
  } catch (error) {
    throw isAppError(error) ? error : actionFailed('The host does not offer SFTP.', error);
  }
}

function toPromise<T>(send: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    send((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}

const words: Readonly<Record<number, string>> = {
  2: 'was not found on the host',
  3: 'is not accessible to the user on the host',
};
const notFound = 2;

/** Runs the work and reports what the host answers as a failure of the setting. */
export async function namingRemote<T>(setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAppError(error) ? error : (remoteFailure(setting, error) ?? error);
  }
}

function remoteFailure(setting: string, error: unknown): AppError | undefined {
  const status = statusOf(error);
  if (status !== undefined) {
    return actionFailed(`${setting} ${words[status] ?? `cannot be used on the host (status ${status})`}.`, error);
  }
  // The library says by messages alone that the connection is gone.
  return error instanceof Error && !('code' in error) ? connectionLost(error) : undefined;
}

function statusOf(error: unknown): number | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** `undefined` when there is no such file on the host. */
export async function findRemote({ sftp, ask }: SftpSession, path: string): Promise<Stats | undefined> {
  try {
    return await ask<Stats>((done) => sftp.lstat(path, done));
  } catch (error) {
    if (statusOf(error) === notFound) return undefined;
    throw error;
  }
}

/** The entries of a folder by name. Throws for a name that leads elsewhere: the host must not choose where to write. */
export async function readRemoteFolder(
  { sftp, ask }: SftpSession,
  path: string,
): Promise<readonly FileEntryWithStats[]> {
  const entries = await ask<FileEntryWithStats[]>((done) => sftp.readdir(path, done));
  const wrong = entries.some(({ filename }) => /[/\0]/.test(filename) || ['', '.', '..'].includes(filename));
  if (wrong) throw actionFailed('The host has sent a name that is no name of a file.');
  return entries.sort((one, other) => (one.filename < other.filename ? -1 : 1));
}

/** The protocol knows no `~`; paths begin at the home already. */
export function remotePath(path: string): string {
  return path.replace(/^~\/*(?=$|[^/])/, '') || '.';
}
