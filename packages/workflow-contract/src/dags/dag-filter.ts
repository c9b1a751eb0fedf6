import { z } from 'zod';
import { workspaceQuery } from '../common/parameters';
import { statusNumbers } from '../dag-runs/run-filter';

/** These fields select DAGs. */
export const dagFilter = {
  ...workspaceQuery,
  name: z
    .string()
    .max(255)
    .optional()
    .describe('Only DAGs whose name or file name contains this string, case-insensitively.'),
  labels: z
    .string()
    .max(4096)
    .optional()
    .describe(
      'Comma-separated labels that a DAG must all have: "key", "key=value", "!key"; "*" and "?" are wildcards. Not allowed together with tags.',
    ),
  tags: z
    .string()
    .max(4096)
    .optional()
    .meta({ description: 'Deprecated name of labels; not allowed together with labels.', deprecated: true }),
  group: z.string().max(255).optional().describe('Only DAGs of exactly this group; empty for those without one.'),
  status: statusNumbers.describe('Only DAGs whose latest run has one of these statuses; 0 for those that never ran.'),
  suspended: z
    .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean().optional())
    .meta({ type: 'boolean', description: 'Only DAGs whose schedule is suspended, or only the others.' }),
};
