import type { AppError } from '@weir/foundation';
import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../../host/files/error-code';
import type { HostKeyVerdict } from './known-hosts';

const hostKeyProblems: Readonly<Record<Exclude<HostKeyVerdict, 'known'>, string>> = {
  unknown: 'The host is not known: its key is not among the known hosts.',
  changed: 'The host presented another key than the known one. This may be a man-in-the-middle attack.',
  revoked: 'The key of the host is revoked.',
};

export function hostKeyRefused(verdict: Exclude<HostKeyVerdict, 'known'>): AppError {
  return actionFailed(hostKeyProblems[verdict]);
}

/** The connection could not be opened. The message of the library may quote a setting and stays in `cause`. */
export function notConnected(cause: unknown): AppError {
  const level = readLevel(cause);
  if (level === 'client-authentication') return actionFailed('The host rejected the credentials.', cause);
  if (level === 'handshake' || level === 'protocol') {
    return actionFailed('The host and this server have no SSH algorithms in common.', cause);
  }
  const code = errorCode(cause);
  return actionFailed(`The host cannot be reached${code === undefined ? '' : ` (${code})`}.`, cause);
}

export function notInTime(timeoutMs: number): AppError {
  return actionFailed(`There was no connection within ${timeoutMs / 1_000} seconds.`);
}

export function connectionLost(cause?: unknown): AppError {
  return actionFailed('The connection to the host was lost.', cause);
}

function readLevel(error: unknown): string | undefined {
  const level = typeof error === 'object' && error !== null && 'level' in error ? error.level : undefined;
  return typeof level === 'string' ? level : undefined;
}
