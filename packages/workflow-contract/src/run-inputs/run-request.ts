import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { profileOverride } from '../profiles/schemas';
import { DagName, DagRunId } from './identity';

const StepName = z.string().min(1).max(255);
const OutputName = z.string().regex(/^[A-Za-z_]\w{0,127}$/, 'must be letters, digits and "_"');

const labelList = z.array(z.string().max(319)).max(100).optional();

/** The options of a new run, started or queued. */
export const runRequest = {
  params: z.string().max(65_536).optional().describe('JSON object or array, or words such as name=value.'),
  dagRunId: DagRunId.optional(),
  dagName: DagName.optional(),
  profile: profileOverride
    .optional()
    .describe('Name of the profile; empty for none. Default: that of the workspace, else of all workspaces.'),
  singleton: z.boolean().default(false).describe('Refuse if a run of this DAG is active.'),
  rebuild: z.boolean().optional().describe('Execute the steps of a build although their files are up to date.'),
  only: z
    .array(StepName)
    .min(1)
    .max(1000)
    .optional()
    .describe('Names or ids of the steps to execute; the others are skipped, and hold back none of these.'),
  outputs: z
    .record(StepName, z.record(OutputName, z.unknown()))
    .optional()
    .describe('Outputs of skipped steps, by the names or ids of the steps. Needs `only`.'),
  outputsFrom: DagRunId.optional().describe(
    'Id of an ended run of the DAG, whose outputs, logs and working files stand in for those of the skipped steps. Needs `only`.',
  ),
  labels: labelList.describe('Additional labels of the run.'),
  tags: labelList.meta({ description: 'Deprecated name of labels.', deprecated: true }),
};

interface DependentKeys {
  readonly labels?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly outputs?: object | undefined;
  readonly outputsFrom?: string | undefined;
}

/** Checks the keys of a request that depend on each other. */
export function checkRunRequest(request: DependentKeys, context: z.RefinementCtx): void {
  const report = (key: string, message: string) => context.addIssue({ code: 'custom', message, path: [key] });
  if (request.labels?.length && request.tags?.length) report('tags', '"labels" and "tags" exclude each other.');
  if (request.only !== undefined) return;
  if (request.outputs !== undefined) report('outputs', '"outputs" needs "only".');
  if (request.outputsFrom !== undefined) report('outputsFrom', '"outputsFrom" needs "only".');
}

/** Why a run is not made, whether it was to be started or queued. */
export const runRefusals = {
  400: {
    description:
      'The DAG has errors, or the parameters, the run id, the labels, the chosen steps or the profile are not valid.',
    reasons: [
      'request_invalid',
      'spec_invalid',
      'params_invalid',
      'labels_invalid',
      'steps_invalid',
      'profile_unknown',
      'profile_disabled',
      'remote_node_unknown',
    ],
  },
  401: errorAnswers.unauthenticated,
  403: {
    description:
      'The role does not permit running DAGs in this workspace, the name of the DAG belongs to another workspace, or the profile is protected.',
    reasons: ['role_missing', 'dag_name_of_other_workspace', 'profile_protected'],
  },
  404: { description: 'There is no such DAG, or it is not visible.', reasons: ['dag_not_found'] },
  409: {
    description: 'The run id exists already, or a run is active and singleton was requested.',
    reasons: ['dag_run_exists', 'dag_run_active'],
  },
  501: {
    description: 'The DAG is valid but uses features that this version does not support yet; the details list them.',
    reasons: ['dag_not_runnable'],
  },
  503: errorAnswers.parserBusy,
} as const;
