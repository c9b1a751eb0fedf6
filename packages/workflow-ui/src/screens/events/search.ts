import { readText } from '@weir/ui-kit/app';

export interface EventsSearch {
  readonly type?: string;
  readonly dag?: string;
  readonly user?: string;
  readonly cursor?: string;
}

export function readEventsSearch(search: Readonly<Record<string, unknown>>): EventsSearch {
  return {
    ...readText('type', search),
    ...readText('dag', search),
    ...readText('user', search),
    ...readText('cursor', search),
  };
}
