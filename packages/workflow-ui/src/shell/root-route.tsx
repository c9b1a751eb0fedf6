import { createRootRoute, retainSearchParams } from '@tanstack/react-router';
import { ScreenError } from '@weir/ui-kit/app';
import { NotFoundScreen } from './not-found/not-found-screen';
import { Shell } from './shell';
import { readWorkspaceSearch, type WorkspaceSearch } from '../parts/workspace/workspace-search';

/** The frame around all screens. */
export const rootRoute = createRootRoute({
  validateSearch: (search: Record<string, unknown>): WorkspaceSearch => readWorkspaceSearch(search),
  search: { middlewares: [retainSearchParams<WorkspaceSearch>(['ws'])] },
  component: Shell,
  notFoundComponent: NotFoundScreen,
  errorComponent: ScreenError,
});
