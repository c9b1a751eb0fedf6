import { readChoice, readText } from '@weir/ui-kit/app';

export const sessionStates = ['active', 'ending', 'ended', 'exported'] as const;

export interface SessionsSearch {
  readonly text?: string;
  readonly state?: (typeof sessionStates)[number];
  readonly group?: 'task';
  readonly cursor?: string;
}

export function readSessionsSearch(search: Readonly<Record<string, unknown>>): SessionsSearch {
  return {
    ...readText('text', search),
    ...readChoice('state', sessionStates, search),
    ...readChoice('group', ['task'] as const, search),
    ...readText('cursor', search),
  };
}
