type Environment = Readonly<Record<string, string | undefined>>;

/** Runs for these events get no secrets if the pull request comes from a fork; `pull_request_target` gets them. */
const forkEvents = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment']);

/** Why an input may be empty although the workflow sets it. */
export function emptyInputHint(env: Environment): string {
  const event = env.GITHUB_EVENT_NAME ?? '';
  if (env.GITHUB_ACTOR === 'dependabot[bot]') {
    return 'Dependabot started this run, and its runs get Dependabot secrets only: add the secret there too, or skip this step if github.actor is dependabot[bot].';
  }
  if (forkEvents.has(event)) {
    return `A ${event} event started this run: if the pull request comes from a fork, every secret is empty. Skip this step unless github.event.pull_request.head.repo.full_name is github.repository.`;
  }
  return 'If the value comes from a secret, a variable or an output, check its name: one that does not exist is empty. A reusable workflow gets only the secrets that its caller passes.';
}
