import type { SyncConfigUpdateRequest } from '@weir/workflow-contract/schemas';
import { settingsProblem, StoredSettings, type SyncSecrets, type SyncSettings } from '../../config/sync-settings';
import { configInvalid } from './sync-errors';

export function parseStoredSettings(stored: unknown): SyncSettings {
  return StoredSettings.parse(stored);
}

/** Returns the settings after a change; omitted ones stay. Throws `sync_config_invalid`. */
export function changeSettings(current: SyncSettings, change: SyncConfigUpdateRequest): SyncSettings {
  const { auth, commit, webhookSecret: _, ...rest } = change;
  const { authorName = current.commit.authorName, authorEmail = current.commit.authorEmail } = commit ?? {};
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const changed: SyncSettings = {
    ...current,
    ...given,
    auth: auth === undefined ? current.auth : withoutSecrets(auth),
    commit: { authorName, authorEmail },
  };
  const problem = settingsProblem(changed);
  if (problem !== undefined) throw configInvalid(problem);
  return changed;
}

function withoutSecrets(auth: NonNullable<SyncConfigUpdateRequest['auth']>): SyncSettings['auth'] {
  const { type, sshKeyPath, secretRef, knownHosts } = auth;
  return { type, sshKeyPath, secretRef, knownHosts };
}

/** Returns the secrets after a change; an empty text removes one. */
export function changeSecrets(current: SyncSecrets, { auth, webhookSecret }: SyncConfigUpdateRequest): SyncSecrets {
  const pick = (given: string | undefined, former: string | undefined) =>
    given === undefined ? former : given === '' ? undefined : given;
  return {
    token: pick(auth?.token, current.token),
    sshKey: pick(auth?.sshKey, current.sshKey),
    sshPassphrase: pick(auth?.sshPassphrase, current.sshPassphrase),
    webhookSecret: pick(webhookSecret, current.webhookSecret),
  };
}

/** Whether a credential for the one repository may be sent to the host of the other. */
export function isSameHost(one: string, other: string): boolean {
  return hostOf(one) === hostOf(other);
}

/** Whether the two settings select the same files, so that known facts stay valid. */
export function isSameTree(one: SyncSettings, other: SyncSettings): boolean {
  return one.repository === other.repository && one.branch === other.branch && one.path === other.path;
}

function hostOf(repository: string): string {
  const [, user = '', host = ''] = /^([\w.-]+@)([\w.-]+):/.exec(repository) ?? [];
  if (host !== '') return `ssh://${user}${host}`;
  if (!URL.canParse(repository)) return 'file://';
  const { protocol, username, host: named } = new URL(repository);
  return `${protocol}//${username === '' ? '' : `${username}@`}${named}`;
}
