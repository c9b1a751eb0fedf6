export { bindBrowserSessionRoutes } from './browser-session-routes';
export type { TokenTable } from './present-tokens';
export { bindReadingRoutes, type ReadingRoutesOptions } from './reading-routes';
export { createSessionWatch, type SessionWatch } from './session-watch';
