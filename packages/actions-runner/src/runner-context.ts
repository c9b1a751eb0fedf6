import { mkdirSync, writeFileSync } from 'node:fs';
import type { RunStepsOptions, Variables } from './runner-types';

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

export interface RunnerFolders {
  readonly home: string;
  readonly temp: string;
  readonly toolCache: string;
}

/** Variables that the runner sets for every step, and that steps cannot change with `GITHUB_ENV`. */
export function runnerContext(
  { workspace, event = {}, idToken, debug = false }: RunStepsOptions,
  folders: RunnerFolders,
): Variables {
  for (const folder of [folders.home, folders.temp, folders.toolCache]) mkdirSync(folder, { recursive: true });
  const eventPath = `${folders.temp}/_github_workflow-event.json`;
  writeFileSync(eventPath, JSON.stringify(event.payload ?? {}));
  return {
    CI: 'true',
    ...defaultContext,
    GITHUB_EVENT_NAME: event.name ?? 'push',
    GITHUB_EVENT_PATH: eventPath,
    GITHUB_WORKSPACE: workspace,
    RUNNER_ARCH: process.arch.toUpperCase(),
    RUNNER_OS: systems[process.platform] ?? process.platform,
    RUNNER_TEMP: folders.temp,
    RUNNER_TOOL_CACHE: folders.toolCache,
    ...(debug && { RUNNER_DEBUG: '1' }),
    ...(idToken && {
      ACTIONS_ID_TOKEN_REQUEST_URL: idToken.url,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: idToken.token,
      // The same token, so a leaked credentials file gives access to more than Google Cloud.
      ACTIONS_RUNTIME_TOKEN: idToken.token,
    }),
    ...event.context,
  };
}

const defaultContext = {
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTOR: 'octocat',
  GITHUB_ACTOR_ID: '1',
  GITHUB_API_URL: 'https://api.github.com',
  GITHUB_BASE_REF: '',
  GITHUB_GRAPHQL_URL: 'https://api.github.com/graphql',
  GITHUB_HEAD_REF: '',
  GITHUB_JOB: 'deploy',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_PROTECTED: 'false',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REPOSITORY: 'octo-org/octo-repo',
  GITHUB_REPOSITORY_ID: '74',
  GITHUB_REPOSITORY_OWNER: 'octo-org',
  GITHUB_REPOSITORY_OWNER_ID: '65',
  GITHUB_RETENTION_DAYS: '90',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_RUN_ID: '1658821493',
  GITHUB_RUN_NUMBER: '3',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
  GITHUB_TRIGGERING_ACTOR: 'octocat',
  GITHUB_WORKFLOW: 'Deploy',
  GITHUB_WORKFLOW_REF: 'octo-org/octo-repo/.github/workflows/deploy.yml@refs/heads/main',
  GITHUB_WORKFLOW_SHA: '0123456789abcdef0123456789abcdef01234567',
  RUNNER_ENVIRONMENT: 'github-hosted',
  RUNNER_NAME: 'GitHub Actions 1',
} as const;
