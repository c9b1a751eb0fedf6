import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Failure } from '@weir/ui-kit/app';
import type { SpecDocument, StoredText } from './spec-document';

/** Reads the text that the editor begins with. It is read once: saving detects later changes of others. */
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
