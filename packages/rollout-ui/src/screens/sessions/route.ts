import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readSessionsSearch } from './search';
import { SessionsScreen } from './sessions-screen';

export const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readSessionsSearch,
  component: SessionsScreen,
});
