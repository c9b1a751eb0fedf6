import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { TaskScreen } from './task-screen';

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$taskId',
  component: TaskScreen,
});
