import type { ActionsRuntime } from '../runner/actions-runtime';
import { exportVariables } from './export-variables';
import { formatUtcSeconds } from '../runner/format-utc-seconds';
import type { IssuedTokens } from '../cloud/issue-tokens';
import { loadPart } from '../runner/load-part';
import { cleanUp } from './credentials-file/clean-up';
import { formatState, stateNames, type CleanUpState } from '../runner/state';
import { publishFile } from './publish-file';
import { publishSummary } from '../runner/publish-summary';
import { formatStepSummary, listVariables, readExpiryClaim, type Variable } from '../report';
import type { Settings } from '../inputs/settings';

export interface PublishOptions {
  readonly runtime: ActionsRuntime;
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  readonly oidcToken: string | undefined;
  /** The variables for registries of packages. */
  readonly packageVariables: readonly Variable[];
  /** The variables of other clouds. */
  readonly otherVariables: readonly Variable[];
  /** Sent with every request, including those of post. */
  readonly userAgent: string;
  readonly randomBytes: (bytes: number) => Uint8Array;
}

/**
 * Provides the credentials to later steps (file, variables, outputs) and saves the state that post cleans up from. A
 * failure leaves no credentials file behind.
 */
export async function publishCredentials(options: PublishOptions): Promise<void> {
  const { runtime } = options;
  let created: CleanUpState | undefined;
  try {
    await handOut(options, (state) => (created = state));
  } catch (error) {
    if (created !== undefined) await cleanUp(created, runtime);
    throw error;
  }
}

async function handOut(options: PublishOptions, onCreated: (state: CleanUpState) => void): Promise<void> {
  const { runtime, settings, issued, oidcToken, randomBytes, packageVariables, otherVariables } = options;
  const file = settings.file.create ? publishFile({ runtime, settings, randomBytes, onCreated }) : undefined;
  const variables = [...listVariables(settings, file), ...packageVariables];
  exportVariables(runtime, settings, [...variables, ...otherVariables]);
  if (settings.projectId === undefined) {
    runtime.notice('The project is unknown; set project_id if later steps need it.');
  } else {
    runtime.setOutput('project_id', settings.projectId);
  }
  if (file !== undefined) runtime.setOutput('credentials_file_path', file);
  runtime.setOutput('auth_token', issued.authToken);
  publishToken(options);
  const { identityName, projectId } = settings;
  if (identityName !== undefined && file !== undefined) {
    const { publishConfiguration } = await loadPart(() => import('./gcloud/publish-configuration.js'));
    publishConfiguration(runtime, identityName, { file, projectId, quotaProject: settings.file.quotaProject });
  }
  if (!settings.writesSummary) return;
  // The response for an ID token does not contain the expiry; the token itself does.
  const expiresAt = issued.requested && (issued.requested.expiresAt ?? readExpiryClaim(issued.requested.token));
  const names = variables.map(([name]) => name);
  publishSummary(runtime, formatStepSummary({ settings, oidcToken, expiresAt, variables: names, file }));
}

function publishToken({ runtime, settings, userAgent, issued: { requested } }: PublishOptions): void {
  const { token, revokesToken, endpoints, requestReason } = settings;
  if (requested === undefined) return;
  if (token.kind === 'id_token') {
    runtime.setOutput('id_token', requested.token);
    return;
  }
  if (revokesToken) {
    const revocation = { url: `${endpoints.oauth2}/revoke`, userAgent, requestReason, token: requested.token };
    runtime.saveState(stateNames.revocation, formatState(revocation));
  }
  runtime.setOutput('access_token', requested.token);
  if (requested.expiresAt !== undefined)
    runtime.setOutput('access_token_expiration', formatUtcSeconds(requested.expiresAt));
}
