import type { SyncConfigResponse, SyncConfigUpdateRequest } from '@weir/workflow-contract/schemas';
import type { ReadStoredSecret } from '@weir/workflow-engine';
import type { Sealer } from '../../encryption';
import { syncSealContext, type GitSyncStore, type StoredSync } from './git-sync-store';
import { credentialNeeded, credentialUnreadable } from './sync-errors';
import { changeSecrets, changeSettings, isSameHost, isSameTree } from './sync-settings';
import type { SyncDefaults, SyncSecrets, SyncSettings } from '../../config/sync-settings';

export interface SyncConfigPorts {
  readonly gitSync: GitSyncStore;
  readonly gitSyncDefaults: SyncDefaults;
  readonly sealer: Sealer;
  readonly readStoredSecret: ReadStoredSecret;
}

export interface SyncConfig {
  readSettings(): Promise<SyncSettings>;
  /** Returns the secrets; a stored secret that the settings name replaces the token or key. Throws `sync_credential_unreadable`. */
  readCredentials(settings: SyncSettings): Promise<SyncSecrets>;
  readWebhookSecret(): Promise<string | undefined>;
  present(): Promise<SyncConfigResponse>;
  /** Returns what it was and is. Throws `sync_config_invalid` or `sync_credential_needed`. */
  update(
    change: SyncConfigUpdateRequest,
  ): Promise<{ readonly before: SyncConfigResponse; readonly after: SyncConfigResponse }>;
}

export function createSyncConfig({ gitSync, gitSyncDefaults, sealer, readStoredSecret }: SyncConfigPorts): SyncConfig {
  const { token, sshPassphrase } = gitSyncDefaults;
  const revealed = { token: token?.reveal(), sshPassphrase: sshPassphrase?.reveal() };
  const settingsOf = ({ settings }: StoredSync): SyncSettings => settings ?? gitSyncDefaults.settings;
  const secretsOf = async ({ settings, sealed }: StoredSync): Promise<SyncSecrets> => {
    if (sealed !== undefined) return JSON.parse(await sealer.open(sealed, syncSealContext)) as SyncSecrets;
    return settings === undefined ? revealed : {};
  };
  const read = async () => {
    const stored = await gitSync.read();
    return { settings: settingsOf(stored), secrets: await secretsOf(stored) };
  };
  return {
    readSettings: async () => settingsOf(await gitSync.read()),

    readCredentials: async ({ auth: { type, secretRef } }) => {
      const secrets = await secretsOf(await gitSync.read());
      if (secretRef === undefined || secretRef === '') return secrets;
      const found = await readStoredSecret(secretRef, undefined);
      if ('problem' in found) throw credentialUnreadable(found.problem);
      return { ...secrets, ...(type === 'token' ? { token: found.value } : { sshKey: found.value }) };
    },

    readWebhookSecret: async () => (await secretsOf(await gitSync.read())).webhookSecret,

    present: async () => {
      const { settings, secrets } = await read();
      return presentConfig(settings, secrets);
    },

    update: async (change) => {
      const current = await read();
      const settings = changeSettings(current.settings, change);
      const secrets = changeSecrets(current.secrets, change);
      if (wouldSendToken(current, settings, change)) throw credentialNeeded();
      const text = JSON.stringify(secrets);
      const sealed = text === '{}' ? undefined : await sealer.seal(text, syncSealContext);
      await gitSync.writeSettings(settings, sealed, { forgets: !isSameTree(current.settings, settings) });
      return {
        before: presentConfig(current.settings, current.secrets),
        after: presentConfig(settings, secrets),
      };
    },
  };
}

/** Whether a token that was given for one host would be sent to another one. */
function wouldSendToken(
  current: { readonly settings: SyncSettings; readonly secrets: SyncSecrets },
  { repository, auth }: SyncSettings,
  change: SyncConfigUpdateRequest,
): boolean {
  if (auth.type !== 'token' || isSameHost(current.settings.repository, repository)) return false;
  const isTokenKept = current.secrets.token !== undefined && change.auth?.token === undefined;
  return isTokenKept || (auth.secretRef !== undefined && change.auth === undefined);
}

function presentConfig(settings: SyncSettings, { token, sshKey, webhookSecret }: SyncSecrets): SyncConfigResponse {
  return {
    ...settings,
    auth: { ...settings.auth, hasToken: token !== undefined, hasSshKey: sshKey !== undefined },
    hasWebhookSecret: webhookSecret !== undefined,
  };
}
