import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { TaskScreen } from './task-screen';

export const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tasks/$taskId',
  component: TaskScreen,
});
