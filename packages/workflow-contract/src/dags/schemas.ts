import { z } from 'zod';
import { DagRunSummary, RecentRun } from '../dag-runs/schemas';
import { Condition, HandlerOn, Step } from '../run-inputs/step-schemas';

const timestamp = z.iso.datetime({ offset: true });

export const Schedule = z
  .object({
    kind: z.enum(['cron', 'at']).optional().describe('Repeating or one-off.'),
    expression: z.string().optional().describe('Cron expression of a repeating schedule.'),
    at: timestamp.optional().describe('Time of a one-off schedule.'),
    profile: z.string().optional().describe('Name of the profile that its runs get.'),
    calendar: z.string().optional().describe('Name of the calendar whose business days count.'),
    businessDays: z
      .array(z.int())
      .optional()
      .describe('Business days of the month that count: from 1, or from -1 for the last one. Default: all.'),
  })
  .meta({ id: 'Schedule', description: 'A schedule of a DAG.' });

export const ParamScalar = z
  .union([z.string(), z.number(), z.boolean()])
  .meta({ id: 'ParamScalar', description: 'A parameter value.' });

export const ParamDef = z
  .object({
    name: z.string().optional().describe('Absent for a positional parameter.'),
    type: z.enum(['string', 'integer', 'number', 'boolean']).describe('Type of the value.'),
    default: ParamScalar.optional(),
    description: z.string().optional().describe('Description of the parameter.'),
    required: z.boolean().optional().describe('Whether a start must provide it.'),
    enum: z.array(ParamScalar).optional().describe('The allowed values.'),
    minimum: z.number().optional().describe('Minimum value.'),
    maximum: z.number().optional().describe('Maximum value.'),
    minLength: z.int().optional().describe('Minimum length.'),
    maxLength: z.int().optional().describe('Maximum length.'),
    pattern: z.string().optional().describe('Regular expression that the string must match.'),
  })
  .meta({ id: 'ParamDef', description: 'A typed parameter for a start form.' });

export const RunConfig = z
  .object({
    disableParamEdit: z.boolean().describe('The start form shows parameters as read-only.'),
    disableRunIdEdit: z.boolean().describe('The start form hides the run id.'),
  })
  .meta({ id: 'RunConfig', description: 'Restrictions of the start form.' });

const labelList = z.array(z.string());

const shared = {
  group: z.string().optional().describe('Group in the user interface.'),
  name: z.string().describe('Name of the DAG.'),
  schedule: z.array(Schedule).optional().describe('Schedules of the DAG.'),
  description: z.string().optional().describe('Description of the DAG.'),
  params: z.array(z.string()).optional().describe('Parameters as "name=default".'),
  defaultParams: z.string().optional().describe('Parameters as written.'),
  labels: labelList.optional().describe('Labels, "key" or "key=value".'),
  tags: labelList.optional().meta({ description: 'The labels under their deprecated name.', deprecated: true }),
  queue: z.string().optional().describe('Queue of its runs.'),
  maxActiveRuns: z.int().optional().meta({ description: 'Maximum number of concurrent runs.', deprecated: true }),
  runConfig: RunConfig.optional(),
};

export const Dag = z
  .object({ ...shared, workspace: z.string().optional().describe('Workspace, from the label workspace=<name>.') })
  .meta({ id: 'DAG', description: 'Summary of a DAG.' });
export type Dag = z.output<typeof Dag>;

export const DagArtifactsConfig = z
  .object({
    enabled: z.boolean().describe('Whether runs get an artifact folder.'),
    dir: z.string().optional().describe('Location.'),
  })
  .meta({ id: 'DAGArtifactsConfig', description: 'Artifacts of a DAG.' });

export const DagDetails = z
  .object({
    ...shared,
    type: z.enum(['graph', 'chain', 'agent', 'build']).optional().describe('Execution order of the steps.'),
    nextRun: timestamp.optional().describe('Next start by schedule.'),
    env: z.array(z.string()).optional().describe('Environment as "KEY=value".'),
    logDir: z.string().optional().describe('Log folder, if the spec sets one.'),
    artifacts: DagArtifactsConfig.optional(),
    handlerOn: HandlerOn.optional(),
    steps: z.array(Step).optional().describe('The steps, in the order of the spec.'),
    delay: z.int().optional().describe('Seconds between step starts.'),
    histRetentionDays: z.int().optional().describe('Days for which history is retained.'),
    preconditions: z.array(Condition).optional().describe('Preconditions of a run.'),
    maxActiveSteps: z.int().optional().describe('Maximum number of concurrent steps in one run.'),
    paramDefs: z.array(ParamDef).optional().describe('The typed parameters.'),
  })
  .meta({ id: 'DAGDetails', description: 'Details of a DAG.' });
export type DagDetails = z.output<typeof DagDetails>;

export const LocalDag = z
  .object({
    name: z.string().describe('Name of the local DAG.'),
    dag: DagDetails.optional(),
    errors: z.array(z.string()).describe('Errors.'),
  })
  .meta({ id: 'LocalDag', description: 'A DAG that only its own file can call.' });

export const InheritedCustomStepTypeHint = z
  .object({
    name: z.string().describe('Name of the step type.'),
    targetType: z.string().describe('Description of the step type.'),
    description: z.string().optional().describe('Description.'),
    inputSchema: z.record(z.string(), z.unknown()).describe('JSON Schema of its input.'),
  })
  .meta({ id: 'InheritedCustomStepTypeHint', description: 'A step type from the base configuration.' });

export const EditorKeyHint = z
  .object({
    name: z.string().describe('The key.'),
    description: z.string().describe('Description.'),
  })
  .meta({ id: 'EditorKeyHint', description: 'A key that is allowed at a location of a DAG file.' });

export const DagEditorHints = z
  .object({
    inheritedCustomStepTypes: z.array(InheritedCustomStepTypeHint).describe('Step types from the base configuration.'),
    rootKeys: z.array(EditorKeyHint).describe('Keys of a DAG.'),
    stepKeys: z.array(EditorKeyHint).describe('Keys of a step.'),
  })
  .meta({ id: 'DAGEditorHints', description: 'Suggestions for editing this file.' });
export type DagEditorHints = z.output<typeof DagEditorHints>;

export const DagFile = z
  .object({
    fileName: z.string().describe('Name of the file without its extension.'),
    dag: Dag,
    latestDAGRun: DagRunSummary,
    recentRuns: z.array(RecentRun).optional().describe('Its last runs, newest first, where they were asked for.'),
    nextRun: timestamp.optional().describe('Next start by schedule; absent if there is none or the DAG is suspended.'),
    suspended: z.boolean().describe('Whether the schedule is suspended.'),
    errors: z.array(z.string()).describe('Errors of the file.'),
    filePath: z.string().optional().describe('Absolute path of the file.'),
  })
  .meta({ id: 'DAGFile', description: 'An entry of the list of DAGs.' });
export type DagFile = z.output<typeof DagFile>;
