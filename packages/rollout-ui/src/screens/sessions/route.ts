import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { readSessionsSearch } from './search';
import { SessionsScreen } from './sessions-screen';

export const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readSessionsSearch,
  component: SessionsScreen,
});
