import type { QueryExecuteOptions } from '@tanstack/react-query';
import { createQueryClient } from '@weir/ui-kit/app';
import { sessionQuery } from './session';

// The gate asks for the password over the page, which stays unchanged.
export const queryClient = createQueryClient((client) => {
  void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
});

/** Reads the data of the next screen, for people who are signed in. The screen shows a failure. */
export function readAhead<Data, Problem, Key extends readonly unknown[]>(
  load: () => Promise<QueryExecuteOptions<Data, Problem, Data, Data, Key>>,
): void {
  const read = async (): Promise<void> => {
    const [{ state }, options] = await Promise.all([
      queryClient.query({ ...sessionQuery, staleTime: 'static' }),
      load(),
    ]);
    if (state === 'signed-in' || state === 'open') await queryClient.query({ ...options, staleTime: 'static' });
  };
  // The gate shows why there is no session, and the screen why there are no rows.
  read().catch(() => undefined);
}
