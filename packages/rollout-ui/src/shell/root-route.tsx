import { createRootRoute } from '@tanstack/react-router';
import { ScreenError } from '@weir/ui-kit/app';
import { NotFoundScreen } from './not-found/not-found-screen';
import { Shell } from './shell';

/** The frame around all screens. */
export const rootRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundScreen,
  errorComponent: ScreenError,
});
