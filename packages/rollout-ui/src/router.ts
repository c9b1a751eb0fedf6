import { createRouter } from '@tanstack/react-router';
import { basePath } from '@weir/ui-kit/app';
import { compareRoute } from './screens/compare/route';
import { searchRoute } from './screens/search/route';
import { sessionRoute } from './screens/session/route';
import { sessionsRoute } from './screens/sessions/route';
import { statusRoute } from './screens/status/route';
import { taskRoute } from './screens/task/route';
import { rootRoute } from './shell/root-route';

// One line for each screen.
const screens = [sessionsRoute, taskRoute, sessionRoute, compareRoute, searchRoute, statusRoute] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren(screens),
  basepath: basePath,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
