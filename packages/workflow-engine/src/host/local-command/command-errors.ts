import { AppError } from '@weir/foundation';
import { errorCode } from '../files/error-code';
import type { StepCommand } from './step-command';

const unknownError = 'unknown error';

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'was not found.',
  EACCES: 'may not be executed.',
  ENOEXEC: 'is not a program.',
};

const otherFailures: Readonly<Record<string, string>> = {
  E2BIG: 'The environment of the step is too large.',
  EAGAIN: 'The system allows no more processes.',
  EMFILE: 'The system allows no more open files.',
  ERR_INVALID_ARG_VALUE: 'The command, shell or environment of the step contains a NUL character.',
};

/** The message of the system may quote the command and stays in `cause`. */
export function processNotStarted(cause: unknown, kind: StepCommand['run']['kind'] = 'commands'): AppError {
  const code = errorCode(cause) ?? unknownError;
  const ofProgram = startFailures[code];
  const what = kind === 'program' ? 'program' : 'shell';
  const message =
    ofProgram === undefined
      ? (otherFailures[code] ?? `The process of the step could not be started (${code}).`)
      : `The ${what} of the step ${ofProgram}`;
  return new AppError('unavailable', message, { reason: 'process_not_started', cause });
}

export function workingFolderUnusable(cause: unknown): AppError {
  const message = `The working folder of the step cannot be used (${errorCode(cause) ?? unknownError}).`;
  return new AppError('unavailable', message, { reason: 'working_folder_unusable', cause });
}
