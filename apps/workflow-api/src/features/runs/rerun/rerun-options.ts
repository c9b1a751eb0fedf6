import type { DagRun } from '@weir/workflow-engine/model';
import type { StartOptions } from '../start/run-starter';

/** Returns the options for starting another run like this one. */
export function optionsOfRun({ params, labels, queueName, priority, profile }: DagRun): Omit<StartOptions, 'audit'> {
  return {
    params: params === '' ? undefined : params,
    // The new run gets the workspace of its DAG.
    labels: labels.filter((label) => !label.startsWith('workspace=')),
    queueName: queueName ?? undefined,
    priority,
    // A run without a profile is not given the default, either.
    profile: profile ?? '',
  };
}
