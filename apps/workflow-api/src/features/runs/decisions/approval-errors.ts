import { AppError } from '@weir/foundation';

export function stepNotWaiting(name: string): AppError {
  return new AppError('invalid_request', `The step "${name}" does not wait for an approval.`, {
    reason: 'step_not_waiting',
  });
}

export function approvalInputsMissing(names: readonly string[]): AppError {
  return new AppError('invalid_request', `These values are required: ${names.join(', ')}.`, {
    reason: 'approval_inputs_missing',
    details: { missing: names },
  });
}

export function rewindNotUpstream(step: string, target: string | undefined): AppError {
  const message =
    target === undefined
      ? `Name the step before "${step}" to which the run returns.`
      : `The run cannot return to "${target}": it is not the step "${step}" or one before it.`;
  return new AppError('invalid_request', message, { reason: 'rewind_not_upstream' });
}

/** Steps that are to execute again must not be executing. */
export function runAtWork(dagRunId: string): AppError {
  return new AppError('conflict', `Steps of the run "${dagRunId}" are running: push back while it is waiting.`, {
    reason: 'dag_run_active',
  });
}

export function taskNotOpen(id: string): AppError {
  return new AppError('conflict', `The human task "${id}" is not open.`, { reason: 'human_task_not_open' });
}

export function taskCompletedOtherwise(id: string): AppError {
  return new AppError('conflict', `The human task "${id}" was completed with another answer.`, {
    reason: 'human_task_completed',
  });
}

/** @param problem Names the field and the rule, never the value. */
export function taskAnswerInvalid(problem: string): AppError {
  return new AppError('invalid_request', `The answer does not match the form: ${problem}`, {
    reason: 'human_task_answer_invalid',
  });
}

export function taskAnswerTooLarge(maxBytes: number): AppError {
  return new AppError('payload_too_large', `The answer is larger than ${maxBytes} bytes.`, {
    reason: 'payload_too_large',
  });
}
