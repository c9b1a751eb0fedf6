// A separate bundle, because it contains the transport: post loads it only when a token is to be revoked.
export { revokeToken } from './post/revoke-token';
