import { createQueryClient } from '@weir/ui-kit/app';
import { sessionQuery } from './session';

// The gate asks for the key over the page, which stays as it is.
export const queryClient = createQueryClient((client) => {
  void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
});
