import { z } from 'zod';
import { DagRunId } from '../dag-runs/schemas';
import { DagName } from './schemas';

const labelList = z.array(z.string().max(319)).max(100).optional();

/** What may be asked of a new run, started or queued. */
export const runRequest = {
  params: z.string().max(65_536).optional().describe('JSON object or array, or words such as name=value.'),
  dagRunId: DagRunId.optional(),
  dagName: DagName.optional(),
  singleton: z.boolean().default(false).describe('Refuse when a run of this DAG is active.'),
  labels: labelList.describe('Further labels of the run.'),
  tags: labelList.meta({ description: 'Old name of labels.', deprecated: true }),
};

interface Labelled {
  readonly labels?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export function hasLabelsOnce({ labels, tags }: Labelled): boolean {
  return !labels?.length || !tags?.length;
}

export const labelsOnce = { message: '"labels" and "tags" exclude each other.', path: ['tags'] };
