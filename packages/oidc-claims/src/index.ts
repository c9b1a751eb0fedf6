export type { OidcAlgorithm } from './algorithms';
export type { OidcClaims } from './claims';
export { decodeClaimsUnverified, type UnverifiedToken } from './decode-token';
export {
  matchClaims,
  parseConditions,
  type ClaimConditions,
  type ClaimMatch,
  type ClaimMismatch,
} from './match-claims';
export { createRemoteJwks, type FetchJson, type RemoteJwks, type RemoteJwksOptions } from './remote-jwks';
export { maxSubjectBytes, subjectByteLength } from './subject';
export { verifyOidcToken, type JsonWebKeySet, type VerifyOidcTokenOptions } from './verify-token';
