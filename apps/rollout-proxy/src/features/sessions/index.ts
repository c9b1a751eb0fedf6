export { type Session, type SessionStatus, type SessionState } from './session';
export { sessionNotFound } from './session-errors';
export { openSessionJournals } from './session-journals';
export { bindSessionRoutes } from './session-routes';
export { createSessionService, type SessionService } from './session-service';
export { createSessionStore, type SessionStore } from './session-store';
export { startSessionSweeper, type SessionTimes } from './session-sweeper';
