import { AppError } from '@weir/foundation';
import { selectorText, type WorkerLabels } from '@weir/workflow-engine/model';
import type { WorkerToken } from '@weir/workflow-db';

/**
 * Returns the labels of a worker that has signed in with this token, which are those of the token. Throws
 * `worker_labels_differ` where others are configured.
 */
export function labelsOfToken({ name, labels }: WorkerToken, configured: WorkerLabels): WorkerLabels {
  const isConfigured = Object.keys(configured).length > 0;
  if (!isConfigured || selectorText(configured) === selectorText(labels)) return labels;
  throw new AppError(
    'invalid_request',
    `The worker token ${name} is for the labels ${selectorText(labels)}, and WEIR_WORKER_LABELS says ${selectorText(configured)}.`,
    { reason: 'worker_labels_differ' },
  );
}
