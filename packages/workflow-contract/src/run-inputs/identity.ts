import { z } from 'zod';

export const DagName = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must be 1 to 40 letters, digits, "_", "." or "-"')
  .refine((name) => !/^\.+$/.test(name), 'must not consist of dots alone')
  .meta({ id: 'DAGName', description: 'Name of a DAG: 1 to 40 letters, digits, "_", "." or "-".' });

export const DagRunId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"')
  .meta({ id: 'DAGRunId', description: 'Id of a run: 1 to 64 letters, digits, "-" or "_".' });
