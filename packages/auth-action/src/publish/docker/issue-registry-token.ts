import { cloudPlatformScope } from '../../inputs/identifiers';
import type { RegistrySignIn } from '../../clouds/cloud-sign-in';
import { redeemKey } from '../../cloud/redeem-key';
import type { IssuedTokens, IssueOptions } from '../../cloud/issue-tokens';
import { registryUsers } from './docker-config';

const lifetimeSeconds = 3600;

/** What Docker signs in to hosts of Google Cloud with. */
export function toSignIns(hosts: readonly string[], token: string): readonly RegistrySignIn[] {
  const auth = Buffer.from(`${registryUsers.google}:${token}`).toString('base64');
  return hosts.map((host) => ({ host, auth }));
}

/** A token of the principal of the job for registries, for an hour, in direct federation for minutes. */
export async function issueRegistryToken(options: IssueOptions, issued: IssuedTokens): Promise<string> {
  const { settings, tokenServices } = options;
  const { identity, token, delegates } = settings;
  const isUsable = token.kind === 'access_token' && token.subject === undefined;
  if (isUsable && token.scopes.includes(cloudPlatformScope) && issued.requested !== undefined) {
    return issued.requested.token;
  }
  const { serviceAccount } = identity;
  if (serviceAccount === undefined) return issued.authToken;
  if (identity.mode === 'key' && serviceAccount === identity.key.clientEmail) {
    return (await redeemKey(identity.key, { ...options, lifetimeSeconds })).token;
  }
  const request = { serviceAccount, lifetimeSeconds, scopes: [cloudPlatformScope], delegates };
  return (await tokenServices.generateAccessToken(request, issued.authToken)).token;
}
