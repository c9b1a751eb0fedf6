import type { ServiceAccountKey } from '../inputs/settings';
import { delegationClaims, signAssertion } from './assertion';
import { cloudPlatformScope } from '../inputs/identifiers';
import type { GrantedToken, TokenServices } from './token-services';

export interface RedeemOptions {
  readonly tokenServices: TokenServices;
  readonly mask: (secret: string) => void;
  readonly lifetimeSeconds: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An access token of the account of the key, which needs no role. */
export async function redeemKey(key: ServiceAccountKey, options: RedeemOptions): Promise<GrantedToken> {
  const { tokenServices, mask, lifetimeSeconds, now } = options;
  const { clientEmail } = key;
  const scopes = [cloudPlatformScope];
  const claims = delegationClaims({
    serviceAccount: clientEmail,
    subject: clientEmail,
    scopes,
    lifetimeSeconds,
    now: now(),
  });
  const assertion = signAssertion(key, claims);
  mask(assertion);
  return tokenServices.exchangeAssertion(assertion);
}
