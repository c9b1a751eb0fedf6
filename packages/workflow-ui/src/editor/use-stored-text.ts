import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '@weir/ui-kit/app';
import type { SpecDocument, StoredText } from './spec-document';

/** What the editor begins with. It is read once: what others store later is found out when it is saved. */
export function useStoredText(document: SpecDocument): UseQueryResult<StoredText, Failure> {
  return useQuery<StoredText, Failure>({
    queryKey: ['stored-text', document.key],
    queryFn: ({ signal }) => document.load(signal),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
