import { inputReasons } from '../inputs/parsed-input';

export interface FailureText {
  readonly cause: string;
  readonly nextStep: string;
}

/** The texts of reasons other than those of inputs, whose messages name the input and the expected value. */
export const failureTexts: ReadonlyMap<string, FailureText> = new Map([
  [
    'id_token_permission_missing',
    {
      cause: 'The job does not have the permission id-token: write, so the runner provides no OIDC token.',
      nextStep:
        'Add the permissions block to the job. A reusable workflow has no more permissions than the job that calls it, so add it there too.',
    },
  ],
  [
    'oidc_refused',
    {
      cause: 'The OIDC token service of the CI provider does not accept the request, often because the job has ended.',
      nextStep: 'Run the job again; if the error persists, check the status page of the CI provider.',
    },
  ],
  [
    'sts_refused',
    {
      cause:
        'The provider does not accept the OIDC token of this job: its issuer, allowed audiences, attribute mapping or attribute condition do not match the token, or it is disabled, deleted or newer than 5 minutes.',
      nextStep:
        'Compare the claims with the output of: gcloud iam workload-identity-pools providers describe. Changes take up to 5 minutes to take effect.',
    },
  ],
  [
    'iam_refused',
    {
      cause: 'The job is authenticated but lacks a role on the service account.',
      nextStep: 'Grant the role on the service account. Changes take up to 5 minutes to take effect.',
    },
  ],
  [
    'account_not_found',
    {
      cause: 'The service account, or a delegate, does not exist, was deleted, or its email has a typing error.',
      nextStep: 'Compare service_account and delegates with the output of: gcloud iam service-accounts list.',
    },
  ],
  [
    'lifetime_not_allowed',
    {
      cause: 'The organization policy does not allow this account tokens with a lifetime of more than one hour.',
      nextStep:
        'Reduce access_token_lifetime to 1h, or add the account to the policy constraints/iam.allowServiceAccountCredentialLifetimeExtension.',
    },
  ],
  [
    'iam_request_invalid',
    {
      cause:
        'The IAM Service Account Credentials API does not accept a value of the request: a scope, a delegate, a subject or an audience.',
      nextStep: 'Correct the input that the message of the service is about.',
    },
  ],
  [
    'service_disabled',
    {
      cause: 'The API is not enabled in the project that the message of the service names.',
      nextStep:
        'Run `gcloud services enable iamcredentials.googleapis.com sts.googleapis.com --project=<project>`. Changes take up to 5 minutes to take effect.',
    },
  ],
  [
    'service_unavailable',
    {
      cause: 'The service failed to handle the request, also when it was repeated. The inputs are not the cause.',
      nextStep: 'Run the job again; if the error persists, check the status page of the service.',
    },
  ],
  [
    'requests_throttled',
    {
      cause: 'The quota of requests to the service is exceeded, often because many jobs start at once.',
      nextStep: 'Run the job again later, start fewer jobs at once, or request a higher quota.',
    },
  ],
  [
    'request_redirected',
    {
      cause:
        'Something between the runner and the service, such as a captive portal or an endpoint input, redirects the request. No token was sent to the target.',
      nextStep: 'Check the endpoint inputs and the proxy.',
    },
  ],
  [
    'oauth_refused',
    {
      cause:
        'The service account is not authorised for domain-wide delegation with these scopes, the user does not exist, or the clock of the runner is wrong.',
      nextStep:
        'In the Admin console of the domain, authorize the numeric client id of the account for every scope in access_token_scopes, and check access_token_subject.',
    },
  ],
  [
    'network_unreachable',
    {
      cause: 'The network of the runner blocks the request, or the service is temporarily unreachable.',
      nextStep:
        'Run the job again; on self-hosted runners, allow the host in the firewall or set HTTPS_PROXY (ALL_PROXY is not used).',
    },
  ],
  [
    'tls_failed',
    {
      cause: 'A proxy intercepts TLS with its own certificate authority, or the clock of the runner is wrong.',
      nextStep:
        'Set NODE_EXTRA_CA_CERTS to the file of the CA certificate. NODE_TLS_REJECT_UNAUTHORIZED does not apply to tokens.',
    },
  ],
  [
    'proxy_failed',
    {
      cause: 'The proxy in HTTPS_PROXY is unreachable, requires authentication, or rejects the connection.',
      nextStep:
        'Check the URL (user name and password percent-encoded), allow the host in the proxy, or add it to NO_PROXY.',
    },
  ],
  [
    'deadline_passed',
    {
      cause: 'All requests together took longer than the input timeout; the message contains the last failure.',
      nextStep: 'Fix that failure, or increase the input timeout if the network is slow.',
    },
  ],
  [
    'answer_malformed',
    {
      cause: 'Something between the runner and Google Cloud, such as the login page of a proxy, sent the response.',
      nextStep: 'Check the endpoint inputs and the proxy.',
    },
  ],
  [
    'address_unsafe',
    {
      cause: 'The URL of a token service is neither https nor a loopback address.',
      nextStep: 'Use an https URL.',
    },
  ],
  [
    'aws_refused',
    {
      cause:
        'The trust policy of the role does not accept the OIDC token of this job: its issuer, audience or subject differ, the identity provider is missing in the account, or the role does not exist.',
      nextStep: 'Compare the claims with the trust policy of the role, and add the lines of the step summary to it.',
    },
  ],
  [
    'aws_call_refused',
    {
      cause:
        'AWS does not accept the keys, or the role does not accept their owner: the keys are wrong, deleted or expired, the trust policy names another principal or external id, the role does not allow sts:TagSession, or the session is longer than the role allows.',
      nextStep:
        'Compare the message with the trust policy of the role. Without sts:TagSession, set aws_job_tags to false.',
    },
  ],
  [
    'aws_plain_key_missing',
    {
      cause: 'AWS chooses the secret keys, a quarter of which have no special characters, and chose none of those.',
      nextStep: 'Run the job again, or remove aws_plain_secret_key and quote the key where a tool reads it.',
    },
  ],
  [
    'aws_profile_exists',
    {
      cause: 'An earlier step or the image of the runner wrote a profile with this name.',
      nextStep: 'Use another name, or set aws_overwrite_profile to true: post restores the profile.',
    },
  ],
  [
    'aws_profile_failed',
    {
      cause: 'The disk is full, a file of AWS is larger than 1 MiB, or another user owns it.',
      nextStep:
        'Give the user of the runner write permission, or set AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE to files of the job.',
    },
  ],
  [
    'azure_refused',
    {
      cause:
        'No federated credential of the application has exactly the issuer, the subject and the audience of the OIDC token of this job, or the tenant or the application does not exist.',
      nextStep:
        'Add a federated credential with the lines of the step summary. Changes take a few minutes to take effect.',
    },
  ],
  [
    'azure_secret_refused',
    {
      cause:
        'The client secret of azure_credentials_json is wrong or expired, or the tenant or the application does not exist.',
      nextStep: 'Create a new secret and store it, or use the OIDC token of the job, which needs none.',
    },
  ],
  [
    'azure_cli_missing',
    {
      cause: 'The image of the runner has no Azure CLI, or an earlier step changed PATH.',
      nextStep: 'Install the Azure CLI before this step, or set azure_cli to false if no later step uses it.',
    },
  ],
  [
    'azure_cli_failed',
    {
      cause:
        'The Azure CLI did not accept the sign-in, although Entra accepts the principal: it is older than version 2.30, cannot reach the cloud, or does not know it.',
      nextStep: 'Follow the message of the CLI, or set azure_cli to false if no later step uses it.',
    },
  ],
  [
    'azure_subscription_missing',
    {
      cause: 'The principal has no role in the subscription, or the subscription belongs to another tenant.',
      nextStep: 'Assign a role in the subscription, for example Reader, or correct azure_subscription_id.',
    },
  ],
  [
    'azure_powershell_missing',
    {
      cause: 'The image of the runner has no PowerShell 7, or an earlier step changed PATH.',
      nextStep: 'Install PowerShell 7 and the module Az.Accounts before this step, or set azure_powershell to false.',
    },
  ],
  [
    'azure_powershell_failed',
    {
      cause: 'The module Az.Accounts is missing or too old, or it did not accept the sign-in.',
      nextStep: 'Follow the message of PowerShell, or set azure_powershell to false if no later step uses it.',
    },
  ],
  [
    'gcloud_configuration_failed',
    {
      cause: 'The disk is full, or the folder of gcloud belongs to another user.',
      nextStep: 'Give the user of the runner write permission, or set CLOUDSDK_CONFIG to a folder of the job.',
    },
  ],
  [
    'docker_config_failed',
    {
      cause: 'The configuration of Docker is not valid JSON, is larger than 1 MiB, or belongs to another user.',
      nextStep: 'Correct the file, or set DOCKER_CONFIG to a folder of the job before this step.',
    },
  ],
  [
    'package_files_failed',
    {
      cause:
        'A configuration of npm, a netrc file or the settings of Maven are larger than 1 MiB, belong to another user or cannot be read as such, or the path of the temporary folder has a space, which MAVEN_ARGS cannot contain.',
      nextStep:
        'Correct the file that the message names, or set NPM_CONFIG_USERCONFIG or NETRC to files of the job before this step.',
    },
  ],
  [
    'runner_temp_unset',
    {
      cause: 'The step does not run in a CI runner, or an earlier step cleared the variable.',
      nextStep: 'Do not change RUNNER_TEMP, or use oidc_token_file.',
    },
  ],
  [
    'token_file_failed',
    {
      cause: 'The disk is full, or another user owns the temporary folder of the runner.',
      nextStep: 'Free disk space on the runner and run the job again.',
    },
  ],
  [
    'token_refresher_failed',
    {
      cause: 'The runner has no memory left, or its limit of processes is reached.',
      nextStep: 'Run the job again; on self-hosted runners, increase the limits.',
    },
  ],
  [
    'oidc_token_file_unreadable',
    {
      cause: 'The CI system has not written the file of oidc_token_file, or another user owns it.',
      nextStep: 'Check the path, and that the job requests an OIDC token in the configuration of the CI system.',
    },
  ],
  [
    'workspace_unset',
    {
      cause: 'The step does not run in a CI runner, or an earlier step cleared the variable.',
      nextStep: 'Do not change GITHUB_WORKSPACE, or set create_credentials_file to false.',
    },
  ],
  [
    'workspace_missing',
    {
      cause:
        'An earlier step removed the workspace, another user owns it, or credentials_file_directory does not exist.',
      nextStep: 'Run this step after the checkout, and create the folder of credentials_file_directory before it.',
    },
  ],
  [
    'workspace_unwritable',
    {
      cause: 'Another user owns the folder, often because a container ran as root, or it is mounted read-only.',
      nextStep: 'Give the user of the runner write permission, or choose another credentials_file_directory.',
    },
  ],
  [
    'credentials_file_failed',
    {
      cause: 'The disk is full, its quota is exceeded, or another process changes the workspace.',
      nextStep: 'Free disk space on the runner and run the job again.',
    },
  ],
  [
    'runner_file_unwritable',
    {
      cause: 'The disk of the runner is full, or an earlier step removed or protected its files.',
      nextStep: 'Free disk space, and do not change the folder _runner_file_commands. No credentials file remains.',
    },
  ],
  [
    'project_not_expected',
    {
      cause:
        'The inputs select a project other than expected_project, often because a variable belongs to another environment.',
      nextStep: 'Correct project_id, the account or expected_project. No credentials were provided.',
    },
  ],
  [
    'account_not_expected',
    {
      cause:
        'The inputs select an account other than expected_account, often because a variable belongs to another environment.',
      nextStep: 'Correct service_account, the key or expected_account. No credentials were provided.',
    },
  ],
  [
    'action_file_missing',
    {
      cause: 'The dist folder of the action is incomplete, often because it was copied or cached in part.',
      nextStep: 'Use the action by its name and tag, or copy the whole dist folder.',
    },
  ],
]);

/** Every reason with which the action can fail. */
export const failureReasons: readonly string[] = [...failureTexts.keys(), ...inputReasons];
