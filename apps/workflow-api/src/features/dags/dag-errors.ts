import { AppError } from '@weir/foundation';

export function dagNotFound(fileName: string): AppError {
  return new AppError('not_found', `There is no DAG "${fileName}".`, { reason: 'dag_not_found' });
}

export function dagExists(fileName: string): AppError {
  return new AppError('conflict', `The DAG "${fileName}" already exists.`, { reason: 'dag_exists' });
}

export function dagNameInvalid(): AppError {
  return new AppError('invalid_request', 'A DAG name is 1 to 40 letters, digits, "_", "." or "-", not dots alone.', {
    reason: 'request_invalid',
  });
}

/** A run still needs the name. */
export function dagRunning(fileName: string): AppError {
  return new AppError('invalid_request', `A run of the DAG "${fileName}" is active.`, { reason: 'dag_running' });
}

export function fileUnreadable(problem: string): AppError {
  return new AppError('invalid_request', problem, { reason: 'spec_invalid', details: { findings: [] } });
}

export function dagsFolderNotWritable(folder: string, code: string): AppError {
  return new AppError('unavailable', `The DAGs folder ${folder} cannot be written to (${code}).`, {
    reason: 'dags_folder_not_writable',
  });
}

export function dagsLoading(): AppError {
  return new AppError('unavailable', 'The DAGs folder is still being read for the first time. Try again soon.', {
    reason: 'dags_loading',
    details: { retryAfterSeconds: 2 },
  });
}

export function localOnly(field: string): AppError {
  return new AppError('forbidden', `The field "${field}" is accepted from commands of the same machine only.`, {
    reason: 'local_only',
  });
}
