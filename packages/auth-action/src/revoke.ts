// A bundle of its own beside that of post, which loads it only where a token is to be revoked: it holds the transport.
export { revokeToken } from './post/revoke-token';
