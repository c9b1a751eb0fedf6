export { minAdminKeyLength, resolveAdminKey, type AdminKey } from './admin-key';
export { createAuthenticator, type Authenticator, type Caller, type SessionGuard } from './authenticator';
export { createNamedKeys, createSessionKey, hashKey, type MakeNamedKey } from './keys';
