import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast, type Toast } from '@weir/ui-kit';
import type { Failure } from '@weir/ui-kit/app';

export interface ActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** Returns the message after a success. */
  readonly done?: (input: Input, result: Result) => string | Toast;
  /** First parts of the query keys of the data that it changes. */
  readonly changes: readonly string[] | 'everything';
  readonly onDone?: (result: Result) => void;
  /** False where a form shows the failure itself. */
  readonly saysFailure?: boolean;
}

/** Performs an action on the server: shows its result, and reads the changed data again. */
export function useAction<Input = void, Result = unknown>(options: ActionOptions<Input, Result>) {
  const { run, done, changes, onDone, saysFailure = true } = options;
  const client = useQueryClient();
  const toast = useToast();
  return useMutation<Result, Failure, Input>({
    mutationFn: run,
    onSuccess: (result, input) => {
      const said = done?.(input, result);
      if (said !== undefined) toast(typeof said === 'string' ? { message: said } : said);
      onDone?.(result);
    },
    onError: ({ message }) => {
      if (saysFailure) toast({ message, tone: 'failed' });
    },
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey }) => changes === 'everything' || changes.includes(String(queryKey[0])),
      }),
  });
}
