import { useToast } from '@weir/ui-kit';
import { useCallback } from 'react';

/** Returns a function that shows a person why an action failed, even after its dialog has closed. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  return useCallback(
    (error) => toast({ message: error instanceof Error ? error.message : String(error), tone: 'failed' }),
    [toast],
  );
}
