import { z } from 'zod';
import { workspaceQuery } from '../common/parameters';

/** What selects DAGs. */
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
};
