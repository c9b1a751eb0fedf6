export { cookieName, type BrowserSession } from './browser-session';
export { createPrismaBrowserSessionRepository, type BrowserSessionRepository } from './browser-session-repository';
export { bindBrowserSessionRoutes } from './browser-session-routes';
export {
  createBrowserSessionService,
  type Browser,
  type BrowserSessionPorts,
  type BrowserSessionService,
} from './browser-session-service';
export { createInMemoryBrowserSessionRepository } from './in-memory-browser-session-repository';
