import { confinedPath, type ConfinedPathOptions } from '../../host/artifacts/confined-path';
import type { ActionCall } from '../call/action-executor';
import { actionFailed } from '../../model/steps/action-errors';

/** The absolute path of the artifact that the setting `path` names. Throws when it lies outside the artifacts folder. */
export async function resolveArtifact(
  { action, artifactsDir }: Pick<ActionCall, 'action' | 'artifactsDir'>,
  path: string,
  options: ConfinedPathOptions,
): Promise<string> {
  if (artifactsDir === undefined) throw actionFailed(`${action} needs "artifacts: { enabled: true }" of the DAG.`);
  const resolved = await confinedPath(artifactsDir, path, options);
  if ('problem' in resolved) throw actionFailed(`path ${resolved.problem}.`);
  return resolved.path;
}
