import { z } from 'zod';
import { NodeStatus, NodeStatusLabel, Status, StatusLabel } from './schemas';

const durationMs = z.int().optional().describe('From its start to its end; absent while one of them is missing.');
const change = z.enum(['added', 'removed', 'changed', 'equal']).describe('From the older run to the newer one.');

export const ComparedRun = z
  .object({
    name: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    status: Status,
    statusLabel: StatusLabel,
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().describe('RFC 3339; empty while active.'),
    durationMs,
  })
  .meta({ id: 'ComparedRun', description: 'One side of a comparison.' });

export const ComparedStep = z
  .object({ status: NodeStatus, statusLabel: NodeStatusLabel, durationMs })
  .meta({ id: 'ComparedStep', description: 'A step of one side.' });

export const ChangedValue = z
  .object({
    name: z.string().describe('Name of the value.'),
    change,
    from: z.string().optional().describe('In the older run, at most its first 16,384 characters.'),
    to: z.string().optional().describe('In the newer run, at most its first 16,384 characters.'),
    isCut: z.boolean().describe('Whether a value is longer than its text.'),
  })
  .meta({ id: 'ChangedValue', description: 'A value of both runs.' });
export type ChangedValue = z.output<typeof ChangedValue>;

export const EnvironmentSource = z
  .enum(['run', 'parameter', 'base', 'dag', 'file', 'profile', 'secret', 'output', 'step', 'host'])
  .meta({
    id: 'EnvironmentSource',
    description:
      'Where a variable comes from: the run itself, a parameter, the base configuration, the DAG, an environment file, the profile or its defaults, a secret, what a step before it published or a person answered, a step, or the environment of the server.',
  });

export const DagRunDiffResponse = z
  .object({
    from: ComparedRun,
    to: ComparedRun,
    spec: z
      .object({
        isEqual: z.boolean().describe('Whether both runs have the same text.'),
        diff: z.string().describe('In the unified format with three lines of context; empty for equal texts.'),
        minimal: z.boolean().describe('False when the diff replaces the one text by the other as a whole.'),
        isBaseEqual: z.boolean().describe('Whether both runs have the same base configurations.'),
      })
      .meta({ id: 'SpecDiff', description: 'How the specs of two runs differ.' }),
    parameters: z.array(ChangedValue).describe('By name.'),
    environment: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the variable.'),
            source: EnvironmentSource,
            step: z.string().optional().describe('The step that sets it.'),
            change: z.enum(['added', 'removed', 'equal']).describe('Values are not compared.'),
          })
          .meta({ id: 'ComparedVariable', description: 'A variable of at least one of two runs.' }),
      )
      .describe('The variables of the run and its steps, without those of the server.'),
    steps: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the step.'),
            change: z.enum(['added', 'removed', 'changed', 'equal']).describe('Whether its status differs.'),
            from: ComparedStep.optional(),
            to: ComparedStep.optional(),
          })
          .meta({ id: 'StepDiff', description: 'A step of at least one of two runs.' }),
      )
      .describe('The steps of the newer run, then those of the older one only.'),
    outputs: z.array(ChangedValue).describe('By name. Secrets were masked when they were stored.'),
  })
  .meta({ id: 'DAGRunDiffResponse', description: 'How two runs differ.' });
export type DagRunDiffResponse = z.output<typeof DagRunDiffResponse>;

export const DagRunEnvironmentResponse = z
  .object({
    variables: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the variable.'),
            source: EnvironmentSource,
            step: z.string().optional().describe('The step that sets it, in place of that of the run.'),
            profile: z
              .string()
              .optional()
              .describe('The profile that sets it; `_global` and `_workspaces/NAME` for defaults.'),
            value: z
              .string()
              .optional()
              .describe(
                'As the spec writes it, with its references; "*****" for secrets. Absent for the base configuration, environment files, profiles and the server.',
              ),
            resolved: z
              .string()
              .optional()
              .describe(
                'What steps get: at most the first 4,096 characters, with "*****" for each part that is withheld. Absent where the whole value is withheld, for what another entry replaces and, without "step", for entries of steps.',
              ),
            isCut: z.boolean().optional().describe('True when the value is longer than its text.'),
            isReplaced: z.boolean().describe('Whether another entry for the whole run wins over this one.'),
          })
          .meta({ id: 'RunVariable', description: 'A variable with its source.' }),
      )
      .describe('In the order in which they are merged; later ones win. At most 2,000.'),
    total: z.int().describe('How many there are.'),
    files: z.array(z.string()).describe('Environment files, which are read when the run starts.'),
  })
  .meta({ id: 'DAGRunEnvironmentResponse', description: 'The variables of the steps of a run.' });
export type DagRunEnvironmentResponse = z.output<typeof DagRunEnvironmentResponse>;
