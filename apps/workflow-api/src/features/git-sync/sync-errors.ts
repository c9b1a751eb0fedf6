import { AppError } from '@weir/foundation';

export function syncDisabled(): AppError {
  return new AppError('unavailable', 'Git sync is off.', { reason: 'sync_disabled' });
}

export function syncBusy(): AppError {
  return new AppError('unavailable', 'Another synchronisation is in progress. Try again soon.', {
    reason: 'sync_busy',
    details: { retryAfterSeconds: 5 },
  });
}

export function syncPullOnly(): AppError {
  return new AppError('forbidden', 'Publishing is switched off: files are only pulled.', { reason: 'sync_pull_only' });
}

export function gitMissing(): AppError {
  return new AppError('unavailable', 'There is no git program on this machine.', { reason: 'git_missing' });
}

export function repositoryFailed(problem: string, cause?: unknown): AppError {
  return new AppError('upstream_failed', `The repository was not reached: ${problem}`, {
    reason: 'sync_repository_failed',
    cause,
  });
}

export function pushRefused(problem: string): AppError {
  return new AppError('upstream_failed', `The repository has refused the commit: ${problem}`, {
    reason: 'sync_push_refused',
  });
}

export function credentialUnreadable(problem: string): AppError {
  return new AppError('unavailable', `The credential of the repository cannot be read: ${problem}.`, {
    reason: 'sync_credential_unreadable',
  });
}

export function configInvalid(problem: string): AppError {
  return new AppError('invalid_request', problem, { reason: 'sync_config_invalid' });
}

export function credentialNeeded(): AppError {
  return new AppError(
    'invalid_request',
    'The repository is on another host, which must not get the stored credential: give it again, or remove it by an empty text.',
    { reason: 'sync_credential_needed' },
  );
}

export function itemNotFound(itemId: string): AppError {
  return new AppError('not_found', `There is no file "${itemId}" to synchronise.`, { reason: 'sync_item_not_found' });
}

export function itemUntracked(itemId: string): AppError {
  return new AppError('invalid_request', `"${itemId}" is not in the repository.`, { reason: 'sync_item_untracked' });
}

/** `what` names the operation that the status does not allow, as the end of a sentence. */
export function itemChanged(itemId: string, what: string): AppError {
  return new AppError('invalid_request', `"${itemId}" ${what}`, { reason: 'sync_item_changed' });
}

export interface ConflictDetails {
  readonly itemId: string;
  readonly remoteCommit?: string | undefined;
  readonly remoteAuthor?: string | undefined;
  readonly remoteMessage?: string | undefined;
}

/** The details are repeated at the top of the body, where clients read them. */
export function syncConflict(details: ConflictDetails): AppError {
  return new AppError('conflict', `"${details.itemId}" was changed in the repository too.`, {
    reason: 'sync_conflict',
    details: { ...details },
  });
}

export function itemExists(itemId: string): AppError {
  return new AppError('conflict', `There is a file "${itemId}" already.`, {
    reason: 'sync_item_exists',
    details: { itemId },
  });
}
