import type { JobFacts } from './job-facts';

/** What to add to the workflow, and why that may not be enough for this job. */
export function permissionHints(facts: JobFacts): readonly string[] {
  const block = ['permissions:', '  contents: read', '  id-token: write'];
  return ['Add to the job, or to the top of the workflow:', ...block.map((line) => `  ${line}`), ...jobHints(facts)];
}

function jobHints({ event, isFork, isDependabot, isCalled }: JobFacts): readonly string[] {
  return [
    isFork &&
      `This run of ${String(event)} is for a pull request from a fork: such runs never get the permission. Skip this step for them.`,
    isDependabot &&
      'This run was started by Dependabot, whose runs have read permissions unless the workflow gives more.',
    isCalled && 'This workflow was called by another one: the calling job has to give the permission as well.',
  ].filter((hint) => hint !== false);
}

/** Why secrets are empty in this job. What the event's name and the actor tell is said with the inputs already. */
export function secretHints({ isFork }: JobFacts): readonly string[] {
  return isFork ? ['This run is for a pull request from a fork: secrets are empty in it.'] : [];
}
