import path from 'node:path';
import { credentialsFileOf, excludeFromGit, ignoreWarnings, writeCredentialsFile } from './credentials-file';
import type { Issued } from './issue-tokens';
import { stateNames, stateText, type ExcludeLine } from './post/state';
import { expiryClaimOf, stepSummary, variablesOf } from './report';
import type { Settings } from './settings';
import type { Workflow } from './workflow';

export interface HandOutParts {
  readonly workflow: Workflow;
  readonly settings: Settings;
  readonly issued: Issued;
  readonly oidcToken: string | undefined;
  /** Of every request, that of post too. */
  readonly userAgent: string;
  readonly randomBytes: (bytes: number) => Uint8Array;
}

/** Gives later steps what was proved to work: file, variables, outputs; and post what it has to undo. */
export async function handOut(parts: HandOutParts): Promise<void> {
  const { workflow, settings, issued, oidcToken } = parts;
  const file = settings.file.create ? writeFile(parts) : undefined;
  const variables = variablesOf(settings, file);
  for (const [name, value] of variables) workflow.exportVariable(name, value);
  if (settings.projectId === undefined) {
    workflow.notice('No project could be told from the inputs; set project_id if later steps need one.');
  } else {
    workflow.output('project_id', settings.projectId);
  }
  if (file !== undefined) workflow.output('credentials_file_path', file);
  outputToken(parts);
  if (!settings.writesSummary) return;
  // Answers say nothing of the end of an ID token, which says it itself.
  const expiresAt = issued.wished && (issued.wished.expiresAt ?? expiryClaimOf(issued.wished.token));
  const names = variables.map(([name]) => name);
  await summarise(workflow, stepSummary({ settings, oidcToken, expiresAt, variables: names, file }));
}

/** A job that has its credentials does not fail for want of a summary. */
async function summarise(workflow: Workflow, markdown: string): Promise<void> {
  try {
    await workflow.summary(markdown);
  } catch {
    workflow.warning('The step summary could not be written, often for a full disk. The credentials are not affected.');
  }
}

function outputToken({ workflow, settings, userAgent, issued: { wished } }: HandOutParts): void {
  const { token, revokes, endpoints, requestReason } = settings;
  if (wished === undefined) return;
  if (token.kind === 'id_token') {
    workflow.output('id_token', wished.token);
    return;
  }
  if (revokes) {
    const revocation = { url: `${endpoints.oauth2}/revoke`, userAgent, requestReason, token: wished.token };
    workflow.saveState(stateNames.revocation, stateText(revocation));
  }
  workflow.output('access_token', wished.token);
  if (wished.expiresAt !== undefined) workflow.output('access_token_expiration', zulu(wished.expiresAt));
}

/** RFC 3339 in UTC, without a fraction of a second: some clients read nothing else. */
function zulu(moment: Date): string {
  return moment.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The path of the file. Post is told of it before anything else can fail. */
function writeFile({ workflow, settings, randomBytes }: HandOutParts): string {
  const { mode, cleanUp } = settings.file;
  const json = credentialsFileOf(settings, workflow.env);
  const written = writeCredentialsFile({ folder: workflow.env.GITHUB_WORKSPACE, json, mode, random: randomBytes });
  const { identity } = written;
  const save = (exclusion: ExcludeLine | undefined): void => {
    if (cleanUp) workflow.saveState(stateNames.cleanUp, stateText({ file: identity, exclusion }));
  };
  save(undefined);
  const excluded = excludeFromGit(identity.folder, identity.name);
  if (excluded.kind === 'failed') workflow.warning(excluded.warning);
  // Of two states of one name the runner keeps the later one.
  if (excluded.kind === 'excluded' && excluded.added) save({ path: excluded.path, line: excluded.line });
  for (const warning of ignoreWarnings(identity.folder, identity.name)) workflow.warning(warning);
  if (written.workspaceWasEmpty) {
    workflow.notice(
      'The workspace is empty: a checkout after this step removes the credentials file. Check out first.',
    );
  }
  workflow.info(`The credentials file is ${path.basename(written.path)}, in the workspace.`);
  return written.path;
}
