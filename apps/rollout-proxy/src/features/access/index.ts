export { minAdminKeyLength, resolveAdminKey, type AdminKey } from './admin-key';
export { createAuthenticator, type Authenticator, type Caller, type SessionGuard } from './authenticator';
export { createNamedKeyDerivation, createSessionKey, hashKey, type DeriveNamedKey } from './keys';
