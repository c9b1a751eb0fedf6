import type { ActionsRuntime } from '../runner/actions-runtime';
import { readBoundedFile } from '../runner/read-bounded-file';

const maxEventBytes = 16 * 1_048_576;

/** The properties of the job's start that affect its permissions. */
export interface JobInfo {
  readonly event: string | undefined;
  readonly isFork: boolean;
  readonly isDependabot: boolean;
  /** Whether the event says that the workflow was called; a reusable workflow usually has the event of its caller. */
  readonly isCalled: boolean;
  /** `owner/name` */
  readonly repository: string | undefined;
}

/** Reads the environment and the event payload. Ignores what is missing or unreadable. */
export function readJobInfo(env: ActionsRuntime['env']): JobInfo {
  const event = env.GITHUB_EVENT_NAME;
  return {
    event,
    // Runs of pull_request_target have the permissions of the target repository even for forks.
    isFork: event !== 'pull_request_target' && isFromFork(readPayload(env.GITHUB_EVENT_PATH)),
    isDependabot: env.GITHUB_ACTOR === 'dependabot[bot]',
    isCalled: event === 'workflow_call',
    repository: env.GITHUB_REPOSITORY,
  };
}

function isFromFork(payload: unknown): boolean {
  const pullRequest = readPath(payload, 'pull_request');
  if (pullRequest === undefined) return false;
  // The repository of a deleted fork is null.
  return readPath(pullRequest, 'head', 'repo', 'full_name') !== readPath(pullRequest, 'base', 'repo', 'full_name');
}

function readPayload(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    return JSON.parse(readBoundedFile(file, maxEventBytes));
  } catch {
    return undefined;
  }
}

function readPath(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (Object(inner) as Readonly<Record<string, unknown>>)[name], value);
}
