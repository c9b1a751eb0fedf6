import { AppError } from '@weir/foundation';

const shownParts = 10;
const listedParts = 1000;

export function dagRunNotFound(name: string, dagRunId: string): AppError {
  return new AppError('not_found', `There is no run "${dagRunId}" of the DAG "${name}".`, {
    reason: 'dag_run_not_found',
  });
}

export function noEarlierRun(dagRunId: string): AppError {
  return new AppError('not_found', `There is no run before "${dagRunId}".`, { reason: 'dag_run_not_found' });
}

export function logGone(): AppError {
  return new AppError('not_found', 'The run of this log was deleted.', { reason: 'dag_run_not_found' });
}

export function stepNotFound(name: string): AppError {
  return new AppError('not_found', `The run has no step "${name}".`, { reason: 'step_not_found' });
}

export function dagRunExists(dagRunId: string): AppError {
  return new AppError('conflict', `The run id "${dagRunId}" is taken.`, { reason: 'dag_run_exists' });
}

export function dagNameOfOtherWorkspace(name: string): AppError {
  return new AppError('forbidden', `The DAG name "${name}" is used in another workspace.`, {
    reason: 'dag_name_of_other_workspace',
  });
}

export function dagRunActive(name: string): AppError {
  return new AppError('conflict', `A run of the DAG "${name}" is active.`, { reason: 'dag_run_active' });
}

export function fileAccepted(): AppError {
  return new AppError('conflict', 'The file has started a run.', { reason: 'file_accepted' });
}

export function dagRunNotRunning(dagRunId: string): AppError {
  return new AppError('invalid_request', `The run "${dagRunId}" is not running.`, { reason: 'not_running' });
}

export function dagRunNotQueued(dagRunId: string): AppError {
  return new AppError('invalid_request', `The run "${dagRunId}" is not queued.`, { reason: 'not_queued' });
}

export function stepNotCorrectable(name: string, why: string): AppError {
  return new AppError('invalid_request', `The status of the step "${name}" cannot be changed: ${why}.`, {
    reason: 'step_not_correctable',
  });
}

export function runIdInvalid(): AppError {
  return new AppError('invalid_request', 'A run id is 1 to 64 letters, digits, "-" or "_", and not "latest".', {
    reason: 'request_invalid',
  });
}

export function paramsInvalid(problems: readonly string[]): AppError {
  return new AppError('invalid_request', `The parameters are not valid: ${problems.join('; ')}`, {
    reason: 'params_invalid',
    details: { problems },
  });
}

export function labelsInvalid(problem: string): AppError {
  return new AppError('invalid_request', `The labels are not valid: ${problem}`, { reason: 'labels_invalid' });
}

/** `parts` are the phrases of `unsupportedParts`. */
export function dagNotRunnable(name: string, parts: readonly string[]): AppError {
  const message = `The DAG "${name}" is valid, but this version cannot execute it yet: ${parts.slice(0, shownParts).join('; ')}`;
  const more = parts.length > shownParts ? `; and ${parts.length - shownParts} more.` : '.';
  return new AppError('not_implemented', `${message}${more}`, {
    reason: 'dag_not_runnable',
    details: { parts: parts.slice(0, listedParts) },
  });
}
