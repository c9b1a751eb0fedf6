export { type Session, type SessionStatus, type SessionState } from '../../session';
export { createDigests, type Digests } from './digests';
export { type Page } from './list-sessions';
export { cursorInvalid, readCursor } from './page-cursor';
export { sessionKeyInUse, sessionMoved, sessionsExhausted } from './session-errors';
export {
  openSessionFiles,
  openSessionJournals,
  type NewSession,
  type SessionFiles,
  type SessionFilesOptions,
  type SessionJournal,
  type SessionJournals,
  type StoredSession,
} from './session-journals';
export { type SessionRecord, type StartedRecord } from './session-records';
export { presentSession } from './session-presenter';
export { bindSessionRoutes } from './session-routes';
export { createSessionService, type SessionService } from './session-service';
export { createSessionStore, isUnfinished, type SessionStore } from './session-store';
export { startSessionSweeper, type SessionTimes } from './session-sweeper';
