import { createRoute } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';
import { SearchScreen } from './search-screen';

export const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): { readonly text?: string } => readText('text', search),
  component: SearchScreen,
});
