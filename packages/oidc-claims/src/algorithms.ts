import { oidcFailure } from './oidc-errors';

/**
 * The signature algorithms that may be allowed. All are asymmetric: with HS*, anyone could sign
 * with the public key of the issuer as the secret.
 */
export const oidcAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

export type OidcAlgorithm = (typeof oidcAlgorithms)[number];

/** Checked at run time too: the list may come from configuration that was cast. */
export function checkAlgorithms(algorithms: readonly OidcAlgorithm[]): string[] {
  const known: readonly string[] = oidcAlgorithms;
  if (algorithms.length === 0 || !algorithms.every((algorithm) => known.includes(algorithm))) {
    throw oidcFailure('options_invalid', 'The list of signature algorithms is empty or contains an unsupported one.', {
      details: { offered: oidcAlgorithms },
    });
  }
  return [...algorithms];
}
