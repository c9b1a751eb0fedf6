import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { scopeOf, type WorkspaceScope } from './workspace-search';

/** Returns the workspace that the address limits the lists to. */
export function useWorkspaceScope(): WorkspaceScope {
  const ws = useSearch({ strict: false, select: (search) => search.ws });
  return useMemo(() => scopeOf({ ws }), [ws]);
}
