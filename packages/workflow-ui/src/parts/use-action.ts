import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useToast } from '@weir/ui-kit';
import type { Failure } from '../api/failure';

export interface ActionOptions<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** What is said when it has worked. */
  readonly done?: (input: Input) => string;
  /** First parts of the keys of what it changes. */
  readonly changes: readonly string[];
  readonly onDone?: (result: Result, input: Input) => void;
  /** False where a form shows the failure itself. */
  readonly saysFailure?: boolean;
}

/** An action on the server: says what became of it, and has what it changes read again. */
export function useAction<Input = void, Result = unknown>(options: ActionOptions<Input, Result>) {
  const { run, done, changes, onDone, saysFailure = true } = options;
  const client = useQueryClient();
  const toast = useToast();
  return useMutation<Result, Failure, Input>({
    mutationFn: run,
    onSuccess: (result, input) => {
      if (done !== undefined) toast({ message: done(input) });
      onDone?.(result, input);
    },
    onError: ({ message }) => {
      if (saysFailure) toast({ message, tone: 'failed' });
    },
    onSettled: () => client.invalidateQueries({ predicate: ({ queryKey }) => changes.includes(String(queryKey[0])) }),
  });
}
