import type { Settings } from '../settings';

export interface SettingsNote {
  readonly level: 'info' | 'notice';
  readonly text: string;
}

const direct =
  "No service_account was given, so this is direct federation: the job acts as the provider's own principal, with the roles that were given to that one. If an account was meant, the variable or secret that it comes from is empty.";
const shortLived =
  "Without service_account, tokens live no longer than the job's OIDC token, which is minutes: a token output may end before later steps use it.";
const noChain =
  'Readers of the credentials file impersonate service_account directly: the format has no place for delegates.';
const otherAccount =
  'The credentials file holds the key as it is, so readers of it are the account of the key; only a token output is of service_account.';

/** What the settings allow but users are surprised by. */
export function settingsNotes({ identity, token, delegates, file }: Settings): readonly SettingsNote[] {
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
