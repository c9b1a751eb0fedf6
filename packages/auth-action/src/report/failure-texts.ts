import { inputReasons } from '../inputs/parsed';

export interface FailureText {
  /** The likely cause. */
  readonly cause: string;
  /** The next step. */
  readonly mend: string;
}

/** For reasons whose own message does not say enough. Those of inputs do: they name the input and what it should be. */
export const failureTexts: ReadonlyMap<string, FailureText> = new Map([
  [
    'id_token_permission_missing',
    {
      cause: 'The job does not have the permission id-token: write, so the runner offers it no OIDC token.',
      mend: 'Add the permissions block to the job. A called workflow gets no more than the job that calls it, so add it there too.',
    },
  ],
  [
    'oidc_refused',
    {
      cause: "The CI platform's token service refuses a job that has ended, or is out of order for a moment.",
      mend: 'Run the job again; if it goes on, look at the status page of the platform.',
    },
  ],
  [
    'sts_refused',
    {
      cause:
        "The provider does not accept this job's token: its issuer, audiences, attribute mapping or attribute condition do not fit, or it is disabled, deleted or newer than 5 minutes.",
      mend: 'Compare what the token says with: gcloud iam workload-identity-pools providers describe. Changes take up to 5 minutes to apply.',
    },
  ],
  [
    'iam_refused',
    {
      cause:
        'The job is known to the cloud but lacks a role on the service account, the account does not exist, or the IAM Service Account Credentials API is not enabled.',
      mend: 'Give the role on the service account and enable iamcredentials.googleapis.com in its project. Changes take up to 5 minutes to apply.',
    },
  ],
  [
    'oauth_refused',
    {
      cause:
        'The service account is not authorised for domain-wide delegation with these scopes, the user does not exist, or the clock of the runner is wrong.',
      mend: "In the admin console of the user's domain, add the account's numeric client id with every scope of access_token_scopes, and check access_token_subject.",
    },
  ],
  [
    'network_unreachable',
    {
      cause: 'The network of the runner does not let the request through, or the service is out of reach for a moment.',
      mend: 'Run the job again; on runners of your own, allow the host in the firewall or set HTTPS_PROXY.',
    },
  ],
  [
    'tls_failed',
    {
      cause: 'A proxy signs connections with an authority of its own, or the clock of the runner is wrong.',
      mend: "Set NODE_EXTRA_CA_CERTS to the file with the authority's certificate.",
    },
  ],
  [
    'proxy_failed',
    {
      cause: 'The proxy in HTTPS_PROXY or HTTP_PROXY is out of reach, asks for a user name and password, or refuses.',
      mend: 'Check the address (user name and password percent-encoded), allow the host there, or add it to NO_PROXY.',
    },
  ],
  [
    'deadline_passed',
    {
      cause: 'All requests together took longer than the input timeout allows; the message has the last failure.',
      mend: 'Mend that failure, or raise the input timeout if the network is just slow.',
    },
  ],
  [
    'answer_malformed',
    {
      cause: 'Something between the runner and the cloud, such as a login page of a proxy, answered in its place.',
      mend: 'Check the endpoint inputs and the proxy.',
    },
  ],
  [
    'address_unsafe',
    {
      cause: 'An address that tokens are sent to is neither https nor on this machine.',
      mend: 'Give an https address.',
    },
  ],
  [
    'workspace_unset',
    {
      cause: 'The step does not run under a runner, or something emptied the variable.',
      mend: 'Do not set GITHUB_WORKSPACE, or set create_credentials_file to false.',
    },
  ],
  [
    'workspace_missing',
    {
      cause: 'An earlier step removed the workspace folder, or another user owns it.',
      mend: 'Run this step after the checkout, or set create_credentials_file to false.',
    },
  ],
  [
    'workspace_unwritable',
    {
      cause: 'Another user owns the workspace, often because a container ran as root, or it is mounted read-only.',
      mend: 'Give the user of the runner the right to write there, or set create_credentials_file to false.',
    },
  ],
  [
    'credentials_file_failed',
    {
      cause: 'The disk is full or its quota is used up, or another process changes the workspace.',
      mend: 'Make room on the disk of the runner and run the job again.',
    },
  ],
  [
    'project_not_expected',
    {
      cause:
        'The inputs, often by a variable of another environment, lead to a project other than the one that is guarded.',
      mend: 'Correct project_id, the account or expected_project. Nothing was handed out.',
    },
  ],
  [
    'account_not_expected',
    {
      cause:
        'The inputs, often by a variable of another environment, lead to an account other than the one that is guarded.',
      mend: 'Correct service_account, the key or expected_account. Nothing was handed out.',
    },
  ],
]);

/** Every reason with which the action may fail. */
export const failureReasons: readonly string[] = [...failureTexts.keys(), ...inputReasons];
