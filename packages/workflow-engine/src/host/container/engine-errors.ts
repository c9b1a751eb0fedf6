import { actionFailed } from '../../model/steps/action-errors';
import { errorCode } from '../files/error-code';

/** Operations of the engine that may fail, with their messages. */
const failures = {
  reach: 'No container engine can be reached',
  pull: 'The image cannot be pulled',
  missing: 'The image does not exist locally, and pull_policy is never',
  create: 'The container cannot be created',
  start: 'The container cannot be started',
  find: 'There is no running container of that name',
  exec: 'The command cannot be started in the container',
  ended: 'The container ended before the command could start',
  unhealthy: 'The container is not healthy',
  late: 'The container was not ready in time',
  lost: 'The connection to the container engine was lost',
  name: 'A container of that name already exists',
} as const;

export type EngineFailure = keyof typeof failures;

/** Fails a step because of the engine. The engine's own message may quote the command and stays in `cause`. */
export function engineFailed(failure: EngineFailure, cause?: unknown) {
  const code = errorCode(cause) ?? describeStatus(cause);
  const hint = failure === 'reach' ? '. Is it running, and does DOCKER_HOST name it?' : '.';
  return actionFailed(`${failures[failure]}${code === undefined ? '' : ` (${code})`}${hint}`, cause);
}

/** The engine's own message, for the log of the step. */
export function readEngineMessage(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const json = typeof cause === 'object' && cause !== null && 'json' in cause ? cause.json : undefined;
  const message = typeof json === 'object' && json !== null && 'message' in json ? json.message : undefined;
  return typeof message === 'string' ? message : undefined;
}

export function isNotThere(error: unknown): boolean {
  return httpStatus(error) === 404;
}

export function isConflict(error: unknown): boolean {
  return httpStatus(error) === 409;
}

function describeStatus(error: unknown): string | undefined {
  const status = httpStatus(error);
  return status === undefined ? undefined : `status ${status}`;
}

function httpStatus(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  return typeof status === 'number' ? status : undefined;
}
