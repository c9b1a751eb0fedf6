import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { readSessionSearch } from './search';
import { SessionScreen } from './session-screen';

export const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions/$sessionId',
  validateSearch: readSessionSearch,
  component: SessionScreen,
});
