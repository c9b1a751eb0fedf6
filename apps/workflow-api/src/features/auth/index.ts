export { createLocalGuard } from './access-guard';
export { createAuth, openAuth, type Auth, type AuthPorts } from './create-auth';
