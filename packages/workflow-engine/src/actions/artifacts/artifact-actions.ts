import { basename } from 'node:path';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor, ActionCall } from '../call/action-executor';
import { namingSetting } from '../../host/files/file-errors';
import { findStats } from '../../host/files/file-info';
import { matchesWildcards } from '../../values/text/wildcards';
import { writeWhole, toWriteOptions } from '../files/write-whole';
import { readFileContent } from '../files/read-file-actions';
import { walkFolder } from '../files/walk-folder';
import { formatContent } from '../files/write-file-action';
import { confinedPath, type ConfinedPathOptions } from '../../host/artifacts/confined-path';

/** Writes a file that stays with the run. Missing parent folders are created. */
export const artifactWrite: ActionExecutor<'artifact.write'> = async ({ call, settings, log }) => {
  const path = settings.path;
  const content = formatContent(settings);
  const file = await resolveArtifact(call, path, { makesFolders: true });
  await namingSetting('path', async () => {
    if ((await findStats(file, false))?.isSymbolicLink()) throw actionFailed('path is a link.');
    await writeWhole(file, content, { ...toWriteOptions(settings), isLinkFollowed: false });
  });
  log.line(`wrote ${Buffer.byteLength(content)} bytes to ${path}`);
  return undefined;
};

export const artifactRead: ActionExecutor<'artifact.read'> = async ({ call, settings, log }) => {
  const file = await resolveArtifact(call, settings.path, { makesFolders: false });
  await readFileContent(file, { settings, maxOutputBytes: call.maxOutputBytes, log });
  return undefined;
};

/** Lists files only, relative to the listed folder; links are skipped. */
export const artifactList: ActionExecutor<'artifact.list'> = async ({ call, settings, signal, log }) => {
  const file = await resolveArtifact(call, settings.path ?? '', { makesFolders: false });
  const stats = await namingSetting('path', () => findStats(file, false));
  if (!stats?.isDirectory()) throw actionFailed(stats ? 'path is not a folder.' : 'path was not found (ENOENT).');
  const pattern = settings.pattern ?? '*';
  const options = { isRecursive: settings.recursive === true, isLinkFollowed: false, signal };
  const all = await namingSetting('path', () => walkFolder(file, options));
  const found = all.filter(({ kind, path }) => kind === 'file' && matchesWildcards(basename(path), pattern));
  if (settings.format === 'json') log.line(JSON.stringify(found));
  else log.out(found.map(({ path }) => `${path}\n`).join(''));
  return undefined;
};

/** The absolute path of the artifact that the setting `path` names. Throws when it lies outside the artifacts folder. */
async function resolveArtifact(
  { action, artifactsDir }: Pick<ActionCall, 'action' | 'artifactsDir'>,
  path: string,
  options: ConfinedPathOptions,
): Promise<string> {
  if (artifactsDir === undefined) throw actionFailed(`${action} needs "artifacts: { enabled: true }" of the DAG.`);
  const resolved = await confinedPath(artifactsDir, path, options);
  if ('problem' in resolved) throw actionFailed(`path ${resolved.problem}.`);
  return resolved.path;
}
