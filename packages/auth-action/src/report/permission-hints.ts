import type { JobInfo } from './job-info';

export const permissionsBlock = ['permissions:', '  contents: read', '  id-token: write'] as const;

/** The permissions to add to the workflow, and why this job may not get them. */
export function permissionHints(job: JobInfo): readonly string[] {
  return [
    'Add to the job, or to the top of the workflow:',
    ...permissionsBlock.map((line) => `  ${line}`),
    ...jobHints(job),
  ];
}

function jobHints({ event, isFork, isDependabot, isCalled }: JobInfo): readonly string[] {
  return [
    isFork &&
      `This ${String(event)} run is for a pull request from a fork: such runs never get the permission. Skip this step for them.`,
    isDependabot &&
      'This run was started by Dependabot, whose runs have read permissions unless the workflow grants more.',
    isCalled && 'This is a reusable workflow: the job that calls it must grant the permission as well.',
  ].filter((hint) => hint !== false);
}

/** Why secrets are empty in this job. The messages about inputs already consider the event name and the actor. */
export function secretHints({ isFork }: JobInfo): readonly string[] {
  return isFork ? ['This run is for a pull request from a fork, where secrets are empty.'] : [];
}
