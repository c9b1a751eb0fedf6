import type { Settings } from '../settings';

/** What the settings allow but users are surprised by. */
export function settingsNotes({ identity, token, delegates, file }: Settings): readonly string[] {
  const isDirect = identity.mode === 'federation' && identity.serviceAccount === undefined;
  const shortLived =
    "Without service_account, tokens live no longer than the job's OIDC token, which is minutes: a token output may end before later steps use it.";
  const noChain =
    'Readers of the credentials file impersonate service_account directly: the format has no place for delegates.';
  return [
    isDirect && token.kind !== 'none' && shortLived,
    identity.mode === 'federation' && delegates.length > 0 && file.create && noChain,
  ].filter((note) => note !== false);
}
