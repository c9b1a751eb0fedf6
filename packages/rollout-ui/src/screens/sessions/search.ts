import { readChoice, readText } from '@weir/ui-kit/app';

export const sessionStates = ['active', 'ending', 'ended', 'exported'] as const;

/** `task`: tasks with their sessions; `model`: what each model came to for each task. */
const sessionGroups = ['task', 'model'] as const;

export interface SessionsSearch {
  readonly text?: string;
  readonly state?: (typeof sessionStates)[number];
  readonly group?: (typeof sessionGroups)[number];
  readonly cursor?: string;
}

export function readSessionsSearch(search: Readonly<Record<string, unknown>>): SessionsSearch {
  return {
    ...readText('text', search),
    ...readChoice('state', sessionStates, search),
    ...readChoice('group', sessionGroups, search),
    ...readText('cursor', search),
  };
}
