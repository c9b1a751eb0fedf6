import { AppError } from '@weir/errors';

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'The shell of the step was not found.',
  EACCES: 'The shell of the step may not be executed.',
  ENOEXEC: 'The shell of the step is not a program.',
  E2BIG: 'The environment of the step is too large.',
  EAGAIN: 'The system allows no more processes.',
  EMFILE: 'The system allows no more open files.',
  ERR_INVALID_ARG_VALUE: 'The command, shell or environment of the step holds a NUL character.',
};

/** The system's own text is only kept as cause: it may repeat the command. */
export function processNotStarted(cause: unknown): AppError {
  const code = codeOf(cause);
  const message = startFailures[code] ?? `The process of the step could not be started (${code}).`;
  return new AppError('unavailable', message, { reason: 'process_not_started', cause });
}

export function workingFolderUnusable(cause: unknown): AppError {
  const message = `The working folder of the step cannot be used (${codeOf(cause)}).`;
  return new AppError('unavailable', message, { reason: 'working_folder_unusable', cause });
}

export function logsNotWritable(cause: unknown): AppError {
  const message = `The log files of the step cannot be written (${codeOf(cause)}).`;
  return new AppError('unavailable', message, { reason: 'logs_not_writable', cause });
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
