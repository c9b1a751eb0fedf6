export { createAccessGuard, openGuard } from './access-guard';
export {
  canSee,
  effectiveRole,
  isVisible,
  requireRole,
  visibleWorkspaces,
  type VisibleWorkspaces,
} from './access-rules';
export { bindAuthRoutes, bindClosedRoutes } from './auth-routes';
export { createAuthService } from './auth-service';
export { createAuthenticator } from './authenticator';
export { createLoginThrottle } from './login-throttle';
export { openAccessAdmin, type Principal } from './principal';
