import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { scopeOf, type WorkspaceScope } from './workspace-search';

/** What the lists are limited to by the address. */
export function useWorkspaceScope(): WorkspaceScope {
  const ws = useSearch({ strict: false, select: (search) => search.ws });
  return useMemo(() => scopeOf({ ws }), [ws]);
}
