import type { Dag } from '@weir/workflow-spec';
import { labelsInvalid } from '../store/dag-run-errors';

const labelPattern = /^[a-z0-9][a-z0-9_.-]{0,62}(=[a-z0-9_./-]{0,255})?$/;
const workspaceKey = 'workspace';

/**
 * Returns the labels of a run: those of the DAG and those of the start, lower-case, sorted, without duplicates.
 * Throws `labels_invalid`, also for a label that names another workspace than that of the DAG.
 */
export function mergeLabels(dag: Pick<Dag, 'labels'>, given: readonly string[]): readonly string[] {
  const added = given.map((label) => label.trim().toLowerCase().replace(/=$/, ''));
  for (const label of added) {
    if (!labelPattern.test(label)) {
      throw labelsInvalid(`"${label}" is neither "key" nor "key=value" out of letters, digits, "_", "." and "-".`);
    }
    if (label.split('=')[0] === workspaceKey && !dag.labels.includes(label)) {
      throw labelsInvalid('The workspace of a run is that of its DAG.');
    }
  }
  return [...new Set([...dag.labels, ...added])].sort();
}
