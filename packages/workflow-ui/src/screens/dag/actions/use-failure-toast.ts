import { useToast } from '@weir/ui-kit';
import { useCallback } from 'react';

/** Returns what tells a person why something was not done, also when its dialog is gone. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  return useCallback(
    (error) => toast({ message: error instanceof Error ? error.message : String(error), tone: 'failed' }),
    [toast],
  );
}
