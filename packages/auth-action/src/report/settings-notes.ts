import type { Settings } from '../inputs/settings';

export interface SettingsNote {
  readonly level: 'info' | 'notice' | 'warning';
  readonly text: string;
}

const direct =
  'No service_account is set, so the job authenticates with direct Workload Identity Federation: it has the roles that are granted to its federated principal. If you intended to set an account, its variable or secret is empty.';
const shortLived =
  'Without service_account, a token expires with the OIDC token of the job after a few minutes: the token output may expire before later steps use it.';
const noChain =
  'Clients that use the credentials file impersonate service_account directly: its format does not support delegates.';
const otherAccount =
  'The credentials file contains the key unchanged, so clients that use it authenticate as the account of the key; only the token output is for service_account.';

/** Consequences of valid settings that users may not expect. */
export function listSettingsNotes(settings: Settings): readonly SettingsNote[] {
  const ignored = settings.ignoredInputs.map(({ input, why }) => warning(`Input ${input} has no effect: ${why}.`));
  const doubtful = settings.doubtfulInputs.map((each) => warning(`Input ${each.input} ${each.warning}`));
  return [...ignored, ...doubtful, ...listModeNotes(settings)];
}

function listModeNotes({ identity, token, delegates, file }: Settings): readonly SettingsNote[] {
  if (identity.mode === 'key') {
    const { serviceAccount, key } = identity;
    return file.create && serviceAccount !== key.clientEmail ? [notice(otherAccount)] : [];
  }
  if (identity.serviceAccount === undefined) {
    return [info(direct), ...(token.kind === 'none' ? [] : [notice(shortLived)])];
  }
  return delegates.length > 0 && file.create ? [notice(noChain)] : [];
}

const info = (text: string): SettingsNote => ({ level: 'info', text });
const notice = (text: string): SettingsNote => ({ level: 'notice', text });
const warning = (text: string): SettingsNote => ({ level: 'warning', text });
