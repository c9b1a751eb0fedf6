import { createRoute } from '@tanstack/react-router';
import { readChoice, readText } from '@weir/ui-app';
import { rootRoute } from '../../app/root-route';
import { SessionsScreen } from './sessions-screen';

export const sessionStates = ['active', 'ending', 'ended', 'exported'] as const;

export interface SessionsSearch {
  readonly text?: string;
  readonly state?: (typeof sessionStates)[number];
  readonly group?: 'task';
  readonly cursor?: string;
}

export const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): SessionsSearch => ({
    ...readText('text', search),
    ...readChoice('state', sessionStates, search),
    ...readChoice('group', ['task'] as const, search),
    ...readText('cursor', search),
  }),
  component: SessionsScreen,
});
