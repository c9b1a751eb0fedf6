import type { ActionsRuntime } from '../runner/actions-runtime';
import { toTagValue } from './aws-texts';
import type { AwsTag } from './cloud-settings';

/** Tags by the variable of the runner. Trust policies rely on them, so no other tag can have one of these keys. */
const identityTags = {
  Repository: 'GITHUB_REPOSITORY',
  Workflow: 'GITHUB_WORKFLOW',
  Action: 'GITHUB_ACTION',
  Actor: 'GITHUB_ACTOR',
  Commit: 'GITHUB_SHA',
  Branch: 'GITHUB_REF',
} as const;

/** Tags that one with the same key replaces. */
const contextTags = {
  EventName: 'GITHUB_EVENT_NAME',
  BaseRef: 'GITHUB_BASE_REF',
  HeadRef: 'GITHUB_HEAD_REF',
  RefName: 'GITHUB_REF_NAME',
  RunId: 'GITHUB_RUN_ID',
  RefType: 'GITHUB_REF_TYPE',
  Job: 'GITHUB_JOB',
  TriggeringActor: 'GITHUB_TRIGGERING_ACTOR',
} as const;

export const reservedTagKeys: readonly string[] = ['GitHub', ...Object.keys(identityTags)];

/** The tags with which the best-known action marks the sessions of a job, and the given ones. */
export function listJobTags(env: ActionsRuntime['env'], given: readonly AwsTag[]): readonly AwsTag[] {
  const read = (variables: Readonly<Record<string, string>>): readonly AwsTag[] =>
    Object.entries(variables).flatMap(([key, variable]) => {
      const value = toTagValue(env[variable] ?? '');
      return value === '' ? [] : [{ key, value }];
    });
  const isFree = ({ key }: AwsTag): boolean => given.every((tag) => tag.key !== key);
  return [{ key: 'GitHub', value: 'Actions' }, ...read(identityTags), ...read(contextTags).filter(isFree), ...given];
}
