import type { Dag } from '../../model/dag';
import type { Step } from '../../model/step';
import { listSteps } from './list-steps';

/** Whether the runs of a DAG have a folder for artifacts: by its own setting, else when a step uses one. */
export function hasArtifacts({ artifacts, ...dag }: Pick<Dag, 'artifacts' | 'steps' | 'handlers'>): boolean {
  if (artifacts !== undefined) return artifacts.enabled;
  return listSteps(dag).some(
    (step) => needsArtifacts(step) || folderNames.some((name) => JSON.stringify(step).includes(name)),
  );
}

/** Finds the first step that cannot execute without a folder for artifacts. */
export function findArtifactStep(dag: Pick<Dag, 'steps' | 'handlers'>): Step | undefined {
  return listSteps(dag).find(needsArtifacts);
}

const folderNames = ['RUN_ARTIFACTS_DIR', 'paths.artifacts_dir'];

function needsArtifacts({ run, stdout, stderr }: Step): boolean {
  const isAction = run.kind === 'action' && run.action.startsWith('artifact.');
  const savesMail = run.kind === 'action' && run.action === 'mail.search' && run.with.save_attachments === true;
  return isAction || savesMail || [stdout, stderr].some((copy) => copy?.kind === 'artifact');
}
