import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Workflow } from '../workflow';

const maxEventBytes = 16 * 1_048_576;

/** What is known of how the job was started, where that decides about its rights. */
export interface JobFacts {
  readonly event: string | undefined;
  readonly isFork: boolean;
  readonly isDependabot: boolean;
  /** Only where the event itself says so; a called workflow mostly sees its caller's event. */
  readonly isCalled: boolean;
  /** `owner/name` */
  readonly repository: string | undefined;
}

/** Reads the environment and the event's payload. What is missing or unreadable tells nothing. */
export function readJobFacts(env: Workflow['env']): JobFacts {
  const event = env.GITHUB_EVENT_NAME;
  return {
    event,
    // Runs of pull_request_target have the rights of the target repository, wherever the pull request is from.
    isFork: event !== 'pull_request_target' && isFromFork(readPayload(env.GITHUB_EVENT_PATH)),
    isDependabot: env.GITHUB_ACTOR === 'dependabot[bot]',
    isCalled: event === 'workflow_call',
    repository: env.GITHUB_REPOSITORY,
  };
}

function isFromFork(payload: unknown): boolean {
  const pullRequest = at(payload, 'pull_request');
  if (pullRequest === undefined) return false;
  // A fork that was deleted since is null.
  return at(pullRequest, 'head', 'repo', 'full_name') !== at(pullRequest, 'base', 'repo', 'full_name');
}

function readPayload(file: string | undefined): unknown {
  if (file === undefined) return undefined;
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      return stats.isFile() && stats.size <= maxEventBytes ? JSON.parse(readFileSync(descriptor, 'utf8')) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function at(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((inner, name) => (Object(inner) as Readonly<Record<string, unknown>>)[name], value);
}
