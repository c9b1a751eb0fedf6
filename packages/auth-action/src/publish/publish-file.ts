import path from 'node:path';
import type { ActionsRuntime } from '../runner/actions-runtime';
import {
  excludeFromGit,
  findCredentialsFolder,
  formatCredentialsFile,
  listIgnoreWarnings,
  sweepStaleFiles,
  writeCredentialsFile,
} from './credentials-file';
import { cleanUpState, formatState, type CleanUpState } from '../runner/state';
import type { Settings } from '../inputs/settings';

export interface PublishFileOptions {
  readonly runtime: ActionsRuntime;
  readonly settings: Settings;
  readonly randomBytes: (bytes: number) => Uint8Array;
  /** Called as soon as there is something to clean up, and again with more. */
  readonly onCreated: (state: CleanUpState) => void;
}

/** Creates the credentials file and returns its path. What post cleans up is saved before anything else can fail. */
export function publishFile({ runtime, settings, randomBytes, onCreated }: PublishFileOptions): string {
  const { mode, cleanUp, directory } = settings.file;
  const folder = findCredentialsFolder(directory, runtime.env);
  const format = (path: string): string => formatCredentialsFile(settings, runtime.env, path);
  const { identityName } = settings;
  const written = writeCredentialsFile({ folder, identityName, format, mode, random: randomBytes });
  const { identity } = written;
  const save = (state: CleanUpState): void => {
    onCreated(state);
    if (cleanUp) runtime.saveState(cleanUpState, formatState(state));
  };
  save({ file: identity, exclusion: undefined });
  const excluded = excludeFromGit(identity.folder, identity.name);
  if (excluded.kind === 'failed') runtime.warning(excluded.warning);
  // The runner keeps the last of two values saved under one name.
  if (excluded.kind === 'excluded' && excluded.added) {
    save({ file: identity, exclusion: { path: excluded.path, line: excluded.line } });
  }
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
  const isInWorkspace = !path.relative(String(runtime.env.GITHUB_WORKSPACE), folder).startsWith('..');
  if (isInWorkspace) return;
  runtime.warning(
    'The credentials file is outside the workspace, so container steps (uses: docker://… and Docker actions) cannot read it.',
  );
}
