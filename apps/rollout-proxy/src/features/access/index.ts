export { minAdminKeyLength, resolveAdminKey, type AdminKey } from './admin-key';
export {
  createAuthenticator,
  markReplicaRequest,
  type Authenticator,
  type Caller,
  type SessionGuard,
} from './authenticator';
export { keyUnknown } from './access-errors';
export {
  createBrowserSessions,
  maxBrowserSessions,
  sessionCookieName,
  type BrowserSession,
  type BrowserSessions,
} from './browser-sessions';
export { createNamedKeyDerivation, createSessionKey, hashKey, readKey, type DeriveNamedKey } from './keys';
