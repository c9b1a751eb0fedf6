import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { HomeScreen } from './home-screen';

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomeScreen,
});
