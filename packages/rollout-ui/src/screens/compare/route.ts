import { createRoute } from '@tanstack/react-router';
import { readText } from '@weir/ui-kit/app';
import { rootRoute } from '../../shell/root-route';
import { CompareScreen } from './compare-screen';

export interface CompareSearch {
  /** The sessions. */
  readonly a?: string;
  readonly b?: string;
  /** Their interactions; default: the last ones. */
  readonly callA?: string;
  readonly callB?: string;
}

export const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  validateSearch: (search: Record<string, unknown>): CompareSearch => ({
    ...readText('a', search),
    ...readText('b', search),
    ...readText('callA', search),
    ...readText('callB', search),
  }),
  component: CompareScreen,
});
