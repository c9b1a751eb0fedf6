export { createLocalGuard } from './access-guard';
export {
  canSee,
  effectiveRole,
  isVisible,
  requireRole,
  requireRoleEverywhere,
  visibleWorkspaces,
  type VisibleWorkspaces,
} from './access-rules';
export { workspaceNotFound } from './auth-errors';
export { createLoginThrottle } from './login-throttle';
export { createAuth, openAuth, type Auth, type AuthPorts } from './create-auth';
export { createLocalAdmin, type Principal } from './principal';
