import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root-route';
import { HomeScreen } from './home-screen';

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomeScreen,
});
