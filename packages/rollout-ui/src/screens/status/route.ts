import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { StatusScreen } from './status-screen';

export const statusRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/status',
  component: StatusScreen,
});
