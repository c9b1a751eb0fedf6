import path from 'node:path';
import type { ActionsRuntime } from './actions-runtime';
import {
  excludeFromGit,
  findCredentialsFolder,
  formatCredentialsFile,
  listIgnoreWarnings,
  sweepStaleFiles,
  writeCredentialsFile,
} from './credentials-file';
import { formatUtcSeconds } from './format-utc-seconds';
import type { IssuedTokens } from './issue-tokens';
import { formatState, stateNames, type ExcludeLine, type VariablesState } from './post/state';
import { formatStepSummary, listVariables, readExpiryClaim } from './report';
import type { Settings } from './settings';

export interface PublishOptions {
  readonly runtime: ActionsRuntime;
  readonly settings: Settings;
  readonly issued: IssuedTokens;
  readonly oidcToken: string | undefined;
  /** Sent with every request, including those of post. */
  readonly userAgent: string;
  readonly randomBytes: (bytes: number) => Uint8Array;
}

/** Provides the credentials to later steps (file, variables, outputs) and saves the state that post cleans up from. */
export async function publishCredentials(options: PublishOptions): Promise<void> {
  const { runtime, settings, issued, oidcToken } = options;
  const file = settings.file.create ? publishFile(options) : undefined;
  const variables = listVariables(settings, file);
  if (settings.restoresVariables && variables.length > 0) {
    const previous = variables.map(([name]) => [name, runtime.env[name] ?? '']);
    runtime.saveState(stateNames.variables, formatState(Object.fromEntries(previous) as VariablesState));
  }
  for (const [name, value] of variables) runtime.exportVariable(name, value);
  if (settings.projectId === undefined) {
    runtime.notice('The project is unknown; set project_id if later steps need it.');
  } else {
    runtime.setOutput('project_id', settings.projectId);
  }
  if (file !== undefined) runtime.setOutput('credentials_file_path', file);
  publishToken(options);
  if (!settings.writesSummary) return;
  // The response for an ID token does not contain the expiry; the token itself does.
  const expiresAt = issued.requested && (issued.requested.expiresAt ?? readExpiryClaim(issued.requested.token));
  const names = variables.map(([name]) => name);
  await publishSummary(runtime, formatStepSummary({ settings, oidcToken, expiresAt, variables: names, file }));
}

// A summary that cannot be written must not fail a job that has its credentials.
async function publishSummary(runtime: ActionsRuntime, markdown: string): Promise<void> {
  try {
    await runtime.writeSummary(markdown);
  } catch {
    runtime.warning(
      'The step summary could not be written, often because the disk is full. The credentials are not affected.',
    );
  }
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

/** Returns the path of the file. Its identity is saved for post before anything else can fail. */
function publishFile({ runtime, settings, randomBytes }: PublishOptions): string {
  const { mode, cleanUp, directory } = settings.file;
  const folder = findCredentialsFolder(directory, runtime.env);
  const format = (path: string): string => formatCredentialsFile(settings, runtime.env, path);
  const written = writeCredentialsFile({ folder, format, mode, random: randomBytes });
  const { identity } = written;
  const save = (exclusion: ExcludeLine | undefined): void => {
    if (cleanUp) runtime.saveState(stateNames.cleanUp, formatState({ file: identity, exclusion }));
  };
  save(undefined);
  const excluded = excludeFromGit(identity.folder, identity.name);
  if (excluded.kind === 'failed') runtime.warning(excluded.warning);
  // The runner keeps the last of two values saved under one name.
  if (excluded.kind === 'excluded' && excluded.added) save({ path: excluded.path, line: excluded.line });
  for (const warning of listIgnoreWarnings(identity.folder, identity.name)) runtime.warning(warning);
  for (const name of sweepStaleFiles(identity.folder, runtime.env)) {
    runtime.notice(`Removed ${name}, the credentials file of an earlier job that was killed.`);
  }
  if (directory !== undefined) warnOfContainers(runtime, path.dirname(written.path));
  else if (written.folderWasEmpty) {
    runtime.notice(
      'The workspace is empty: a checkout after this step removes the credentials file. Check out the repository first.',
    );
  }
  const place = directory ?? 'the workspace';
  runtime.info(`Created the credentials file ${path.basename(written.path)} in ${place}.`);
  return written.path;
}

function warnOfContainers(runtime: ActionsRuntime, folder: string): void {
  const isInWorkspace = !path.relative(runtime.env.GITHUB_WORKSPACE ?? folder, folder).startsWith('..');
  if (isInWorkspace) return;
  runtime.warning(
    'The credentials file is outside the workspace, so container steps (uses: docker://… and Docker actions) cannot read it.',
  );
}
