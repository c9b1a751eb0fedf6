import path from 'node:path';
import { credentialsFileOf, excludeFromGit, ignoreWarnings, writeCredentialsFile } from './credentials-file';
import type { Issued } from './issue-tokens';
import { stateNames, stateText } from './post/state';
import { stepSummary, variablesOf } from './report';
import type { Settings } from './settings';
import type { Workflow } from './workflow';

export interface HandOutParts {
  readonly workflow: Workflow;
  readonly settings: Settings;
  readonly issued: Issued;
  readonly oidcToken: string | undefined;
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
  const { expiresAt } = issued.wished ?? issued.federated ?? { expiresAt: undefined };
  await workflow.summary(
    stepSummary({ settings, oidcToken, expiresAt, variables: variables.map(([name]) => name), file }),
  );
}

function outputToken({ workflow, settings, issued: { wished } }: HandOutParts): void {
  const { token, revokes, endpoints } = settings;
  if (wished === undefined) return;
  if (token.kind === 'id_token') {
    workflow.output('id_token', wished.token);
    return;
  }
  if (revokes) {
    workflow.saveState(stateNames.revocation, stateText({ url: `${endpoints.oauth2}/revoke`, token: wished.token }));
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
  const save = (excludedIn: string | undefined): void => {
    if (cleanUp) workflow.saveState(stateNames.cleanUp, stateText({ file: identity, excludedIn }));
  };
  save(undefined);
  const exclusion = excludeFromGit(identity.folder, identity.name);
  if (exclusion.kind === 'failed') workflow.warning(exclusion.warning);
  // Of two states of one name the runner keeps the later one.
  if (exclusion.kind === 'excluded' && exclusion.added) save(exclusion.path);
  for (const warning of ignoreWarnings(identity.folder, identity.name)) workflow.warning(warning);
  if (written.workspaceWasEmpty) {
    workflow.notice(
      'The workspace is empty: a checkout after this step removes the credentials file. Check out first.',
    );
  }
  workflow.info(`The credentials file is ${path.basename(written.path)}, in the workspace.`);
  return written.path;
}
