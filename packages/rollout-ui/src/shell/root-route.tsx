import { createRootRoute } from '@tanstack/react-router';
import { ScreenError } from '@weir/ui-kit/app';
import { NotFoundScreen } from '../screens/not-found/not-found-screen';
import { Shell } from './shell/shell';

/** The frame around all screens. */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundScreen,
  errorComponent: ScreenError,
});
