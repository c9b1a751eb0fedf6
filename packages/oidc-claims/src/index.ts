export { oidcAlgorithms, type OidcAlgorithm } from './algorithms';
export { parseClaims } from './claims';
export type { OidcClaims } from './claims-schema';
export { decodeClaimsUnverified, maxTokenBytes, type UnverifiedToken } from './decode-token';
export { matchesGlob } from './glob';
export {
  conditionLimits,
  matchClaims,
  parseConditions,
  type ClaimConditions,
  type ClaimMatch,
  type ClaimMismatch,
} from './match-claims';
export { oidcFailures, type OidcFailureReason } from './oidc-errors';
export { createRemoteJwks, type FetchJson, type RemoteJwks, type RemoteJwksOptions } from './remote-jwks';
export {
  maxSubjectBytes,
  parseSubject,
  subjectByteLength,
  subjectForms,
  type EnvironmentSubject,
  type JobWorkflowSubject,
  type OidcSubject,
  type OtherSubject,
  type PullRequestSubject,
  type RefSubject,
  type SubjectForms,
  type SubjectRepository,
  type WorkflowFile,
} from './subject';
export { verifyOidcToken, type JsonWebKeySet, type VerifyOidcTokenOptions } from './verify-token';
