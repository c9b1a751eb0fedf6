import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ServerUnreachable, statusOf } from './failure';

/** Creates the queries of a page; `onSessionEnd` is called when an answer reports that the session has ended. */
export function createQueryClient(onSessionEnd: (client: QueryClient) => void): QueryClient {
  const onError = (error: Error): void => {
    if (statusOf(error) === 401) onSessionEnd(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        retry: (count, error) => count < 2 && (error instanceof ServerUnreachable || (statusOf(error) ?? 0) >= 500),
      },
    },
  });
  return client;
}
