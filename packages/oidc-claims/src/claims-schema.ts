import { z } from 'zod';

/** What people need to know about a claim before they write a trust policy. */
export interface ClaimFacts {
  /** What it is, as a phrase without a full stop. */
  readonly title: string;
  /** Its form and how it gets its value, in sentences. */
  readonly description: string;
  /** A value as the platform sends it. */
  readonly example: string | number;
  /** `always`, or the jobs whose tokens have it. */
  readonly presence: string;
  /** What a rename or a transfer of the repository does to it. */
  readonly afterMove: 'same' | 'changes' | 'changes at a transfer' | 'see the claim';
  /** Whether a trust policy may depend on it, and with what. */
  readonly condition: string;
}

/** The facts of each schema of {@link DocumentedClaims}. */
export const claimFacts = z.registry<ClaimFacts>();

function documented<Schema extends z.ZodType>(schema: Schema, facts: ClaimFacts): Schema {
  claimFacts.add(schema, facts);
  return schema;
}

const text = () => z.string().optional();
const requiredText = () => z.string().min(1);
const numericText = () =>
  z
    .string()
    .regex(/^[0-9]{1,20}$/)
    .optional();
const time = () => z.number().min(0);

/** The claims whose types `parseClaims` checks. */
const CheckedClaims = z.looseObject({
  iss: documented(requiredText(), {
    title: 'Issuer',
    description:
      'The address of the token service, below which its keys are found. An enterprise can have one of its own, ' +
      'with its name at the end; GitHub Enterprise Server has `https://HOSTNAME/_services/token`.',
    example: 'https://token.actions.githubusercontent.com',
    presence: 'always',
    afterMove: 'same',
    condition: 'Yes, in every policy; alone it admits all repositories of the platform.',
  }),
  sub: documented(requiredText(), {
    title: 'Subject',
    description:
      'The repository, then the environment of the job, `pull_request`, or the ref. An organization or repository ' +
      'can choose other claims for it; a colon inside a value is `%3A`. Repositories that were created, renamed or ' +
      'transferred since 15 July 2026 have ids after the names, `repo:<owner>@<id>/<name>@<id>:…`; older ones can ' +
      'be switched to it.',
    example: 'repo:example-org@2002/example-repo@1001:ref:refs/heads/main',
    presence: 'always',
    afterMove: 'see the claim',
    condition: 'Yes, as a whole. Prefer the form with ids: a name can be given to others.',
  }),
  aud: documented(z.union([z.string(), z.array(z.string()).min(1).readonly()]), {
    title: 'Audience',
    description:
      'Whom the token is for. The job chooses it when it requests the token; without a choice it is the address of ' +
      'the owner of the repository.',
    example: 'https://github.com/example-org',
    presence: 'always',
    afterMove: 'see the claim',
    condition: 'Yes, in every policy; alone it admits every job, because any job can request any audience.',
  }),
  exp: documented(time(), {
    title: 'Expiry',
    description: 'Seconds since 1970, minutes after `iat`.',
    example: 1_800_000_300,
    presence: 'always',
    afterMove: 'same',
    condition: 'No; every verifier checks it.',
  }),
  iat: documented(time(), {
    title: 'Time of issue',
    description: 'Seconds since 1970.',
    example: 1_800_000_000,
    presence: 'always',
    afterMove: 'same',
    condition: 'No; verifiers check it.',
  }),
  nbf: documented(time().optional(), {
    title: 'Not valid before',
    description: 'Seconds since 1970, before `iat`, for receivers whose clock is slow.',
    example: 1_799_999_700,
    presence: 'always',
    afterMove: 'same',
    condition: 'No; every verifier checks it.',
  }),
  jti: documented(text(), {
    title: 'Id of the token',
    description: 'Another one for each token.',
    example: '6f4762ed-0758-4ccb-808d-ee3af5d723a8',
    presence: 'always',
    afterMove: 'same',
    condition: 'No; a receiver can keep it to accept a token once.',
  }),
  ref: documented(text(), {
    title: 'Git ref of the run',
    description: 'The full ref: `refs/heads/…`, `refs/tags/…`, or `refs/pull/<number>/merge` for `pull_request`.',
    example: 'refs/heads/main',
    presence: 'always; empty for an event without a ref',
    afterMove: 'same',
    condition: 'With `repository_id`. For `pull_request_target` it is the target branch, so look at `event_name` too.',
  }),
  ref_type: documented(text(), {
    title: 'Kind of the ref',
    description: '`branch` or `tag`.',
    example: 'branch',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `ref`, whose prefix says the same.',
  }),
  ref_protected: documented(text(), {
    title: 'Whether the ref is protected',
    description: 'The text `true` if branch protection or a ruleset applies to the ref, otherwise `false`.',
    example: 'true',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `repository_id`; who administers the repository can remove the protection.',
  }),
  sha: documented(text(), {
    title: 'Commit of the run',
    description: 'The id of the commit that started the run.',
    example: '0123456789abcdef0123456789abcdef01234567',
    presence: 'always',
    afterMove: 'same',
    condition: 'No; it changes with every commit.',
  }),
  repository: documented(text(), {
    title: 'Repository',
    description: 'The owner and the name.',
    example: 'example-org/example-repo',
    presence: 'always',
    afterMove: 'changes',
    condition: 'With `repository_owner_id` or `repository_id`; a name can be given to others.',
  }),
  repository_id: documented(numericText(), {
    title: 'Id of the repository',
    description: 'Digits as text. It is never given to another repository.',
    example: '1001',
    presence: 'always',
    afterMove: 'same',
    condition: 'Yes.',
  }),
  repository_owner: documented(text(), {
    title: 'Owner of the repository',
    description: 'The name of the organization or the person.',
    example: 'example-org',
    presence: 'always',
    afterMove: 'changes',
    condition: 'No, use `repository_owner_id`; a name can be given to others.',
  }),
  repository_owner_id: documented(numericText(), {
    title: 'Id of the owner',
    description: 'Digits as text. It is never given to another owner.',
    example: '2002',
    presence: 'always',
    afterMove: 'changes at a transfer',
    condition: 'Yes; alone it admits all repositories of the owner.',
  }),
  repository_visibility: documented(text(), {
    title: 'Visibility of the repository',
    description: '`public`, `internal` or `private`.',
    example: 'private',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `repository_owner_id`, to keep public repositories out.',
  }),
  run_id: documented(numericText(), {
    title: 'Id of the run',
    description: 'Digits as text, too many for a JSON number. All attempts have the same.',
    example: '3003',
    presence: 'always',
    afterMove: 'same',
    condition: 'No; for audit logs.',
  }),
  run_number: documented(numericText(), {
    title: 'Number of the run',
    description: 'Digits as text. It counts the runs of the workflow.',
    example: '7',
    presence: 'always',
    afterMove: 'same',
    condition: 'No; for audit logs.',
  }),
  run_attempt: documented(numericText(), {
    title: 'Attempt of the run',
    description: 'Digits as text, from 1; each re-run adds one.',
    example: '1',
    presence: 'always',
    afterMove: 'same',
    condition: 'No; for audit logs.',
  }),
  actor: documented(text(), {
    title: 'Who started the run',
    description: 'The name of the account, or of an app with `[bot]` at its end. A re-run keeps it.',
    example: 'octocat',
    presence: 'always',
    afterMove: 'same',
    condition: 'No, use `actor_id`; an account can be renamed.',
  }),
  actor_id: documented(numericText(), {
    title: 'Id of who started the run',
    description: 'Digits as text.',
    example: '4004',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `repository_id` only; it does not say whose code the job runs.',
  }),
  workflow: documented(text(), {
    title: 'Name of the workflow',
    description: 'The `name` in the file of the workflow, or the path of the file if it has none.',
    example: 'deploy',
    presence: 'always',
    afterMove: 'same',
    condition: 'No, use `workflow_ref`; any file of the repository can have the name.',
  }),
  workflow_ref: documented(text(), {
    title: 'File of the workflow',
    description: 'The file that the event started and its ref, `<owner>/<name>/<path>@<ref>`.',
    example: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
    presence: 'always',
    afterMove: 'changes',
    condition: 'With `repository_id`; the names in it can be given to others.',
  }),
  workflow_sha: documented(text(), {
    title: 'Commit of the workflow',
    description: 'The commit at which the file in `workflow_ref` was read.',
    example: '0123456789abcdef0123456789abcdef01234567',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `workflow_ref`, if every change of the file is to be approved.',
  }),
  job_workflow_ref: documented(text(), {
    title: 'File of the job',
    description:
      'The file that the job is written in and its ref, in the form of `workflow_ref`: that of the reusable ' +
      'workflow, or the same as `workflow_ref`. The repository may be another one than that of the run.',
    example: 'example-org/example-repo/.github/workflows/deploy.yml@refs/heads/main',
    presence: 'always; GitHub promises it for jobs of reusable workflows',
    afterMove: 'changes',
    condition: 'With `repository_owner_id`, to admit only jobs of an approved reusable workflow.',
  }),
  job_workflow_sha: documented(text(), {
    title: 'Commit of the file of the job',
    description: 'The commit at which the file in `job_workflow_ref` was read.',
    example: '0123456789abcdef0123456789abcdef01234567',
    presence: 'always; GitHub promises it for jobs of reusable workflows',
    afterMove: 'same',
    condition: 'With `job_workflow_ref`, because a branch or tag in it can be moved.',
  }),
  head_ref: documented(text(), {
    title: 'Source branch of the pull request',
    description: 'A name without `refs/heads/`.',
    example: '',
    presence: 'always; empty unless a pull request started the run',
    afterMove: 'same',
    condition: 'No; the author of a pull request chooses the name.',
  }),
  base_ref: documented(text(), {
    title: 'Target branch of the pull request',
    description: 'A name without `refs/heads/`.',
    example: '',
    presence: 'always; empty unless a pull request started the run',
    afterMove: 'same',
    condition: 'With `repository_id` only; it does not say whose code the job runs.',
  }),
  event_name: documented(text(), {
    title: 'Event that started the run',
    description: 'Its name in the `on` of the workflow.',
    example: 'push',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `repository_id`, to refuse `pull_request_target` and other events that strangers can cause.',
  }),
  environment: documented(text(), {
    title: 'Environment of the job',
    description: 'The name of the deployment environment.',
    example: 'production',
    presence: 'jobs with an environment',
    afterMove: 'same',
    condition: 'With `repository_id`; the rules of the environment say who gets it.',
  }),
  runner_environment: documented(text(), {
    title: 'Who hosts the runner',
    description: '`github-hosted` or `self-hosted`.',
    example: 'github-hosted',
    presence: 'always',
    afterMove: 'same',
    condition: 'With `repository_id`, to refuse machines that others can change.',
  }),
});

/**
 * The payload of the OIDC token of a CI job as `parseClaims` accepts it: the five claims that OpenID Connect requires
 * are present, known claims have their type, and the others are unchanged and have the type `unknown`.
 */
export type OidcClaims = Readonly<z.output<typeof CheckedClaims>>;

/**
 * Every claim that GitHub documents, as it sends them. `parseClaims` does not check those that are only here, because
 * it accepted any value of them before they were known.
 */
export const DocumentedClaims = CheckedClaims.extend({
  check_run_id: documented(numericText(), {
    title: 'Id of the job',
    description: 'Digits as text: the check run of the job, another one for each job and attempt.',
    example: '5005',
    presence: 'always; not on GitHub Enterprise Server',
    afterMove: 'same',
    condition: 'No; for audit logs, as the one claim that names a single job.',
  }),
  environment_node_id: documented(text(), {
    title: 'Id of the environment',
    description:
      'The id of the environment in the GraphQL API. The list of claims of the issuer has it, the guide not.',
    example: 'EN_kwDOAAAD6c8AAAABAAAAAQ',
    presence: 'jobs with an environment',
    afterMove: 'same',
    condition: 'Yes; an environment that is deleted and created again has another one.',
  }),
  enterprise: documented(text(), {
    title: 'Enterprise',
    description: 'The name of the enterprise that has the repository.',
    example: 'example-enterprise',
    presence: 'repositories of an enterprise',
    afterMove: 'changes at a transfer',
    condition: 'No, use `enterprise_id`; a name can be given to others.',
  }),
  enterprise_id: documented(numericText(), {
    title: 'Id of the enterprise',
    description: 'Digits as text.',
    example: '6006',
    presence: 'repositories of an enterprise',
    afterMove: 'changes at a transfer',
    condition: 'Yes; alone it admits all repositories of the enterprise.',
  }),
});

/** The claims that an organization adds: each has this prefix and the name of a custom property of the repository. */
export const propertyPrefix = 'repo_property_';

/** A claim with {@link propertyPrefix}. */
export const PropertyClaim = documented(z.string(), {
  title: 'Custom property of the repository',
  description:
    'The value as text: that of a property with several values is separated by commas, and a yes-or-no property is ' +
    '`true` or `false`.',
  example: 'platform',
  presence: 'the owner or enterprise adds the property to tokens, and the repository has a value',
  afterMove: 'changes at a transfer',
  condition: 'With `repository_owner_id`, if only administrators of the organization may set the property.',
});
