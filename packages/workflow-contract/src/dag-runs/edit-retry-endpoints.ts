import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { runRefusals } from '../run-inputs/run-request';
import { maxSpecLength, Step } from '../run-inputs/step-schemas';
import { parserBusy, runParams, tag } from './shared';
import { DagName, DagRunId } from '../run-inputs/identity';

const path = '/dag-runs/{name}/{dagRunId}/edit-retry';
const params = z.object(runParams);
const query = z.object({ remoteNode });
const edited = {
  spec: z.string().max(maxSpecLength).describe('The edited YAML text.'),
  dagName: DagName.optional().describe('Name of the DAG of the new run. Default: the same.'),
};
const stepNames = z.array(z.string());

const notPermitted = {
  description: 'The role does not permit writing and running DAGs in the workspace of the run or of the edited spec.',
  reasons: ['role_missing'],
} as const;
const notFound = {
  description: 'There is no such run, or it is not visible.',
  reasons: ['dag_run_not_found'],
} as const;

const EditRetryPreviewResponse = z
  .object({
    dagName: z.string().describe('Name of the DAG of the new run.'),
    skippedSteps: stepNames.describe('Steps that keep the end and the outputs that they have in the run.'),
    runnableSteps: stepNames.describe('Steps that are executed.'),
    steps: z.array(Step).describe('All steps of the edited spec.'),
    ineligibleSteps: z
      .array(
        z
          .object({
            stepName: z.string().describe('Name of the step.'),
            reason: z.string().describe('Why, for people.'),
          })
          .meta({ id: 'EditRetryIneligibleStep', description: 'A step that has to be executed.' }),
      )
      .describe('Steps that have to be executed, because there is no end to keep.'),
    errors: z.array(z.string()).describe('Errors of the edited spec; with any of them the other lists are empty.'),
    warnings: z.array(z.string()).describe('Warnings about the edited spec and the comparison with the run.'),
  })
  .meta({ id: 'EditRetryPreviewResponse', description: 'What a retry with an edited spec would execute.' });
export type EditRetryPreviewResponse = z.output<typeof EditRetryPreviewResponse>;

export const previewEditRetryDagRun = endpoint({
  method: 'POST',
  path: `${path}/preview`,
  operationId: 'previewEditRetryDAGRun',
  audit: 'no-change',
  tag,
  summary: 'Show what a retry of a run with an edited spec would execute',
  description:
    'Stores nothing. A step keeps its end when it passed, its own definition has not changed, and nothing it depends on is executed. The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params,
  query,
  body: z.object(edited).meta({ id: 'EditRetryPreviewRequest', description: 'An edited spec.' }),
  success: { status: 200, description: 'The steps, or the errors of the spec.', schema: EditRetryPreviewResponse },
  errors: {
    400: {
      description: 'The request is not valid, or the node is not this one.',
      reasons: ['request_invalid', 'remote_node_unknown'],
    },
    401: errorAnswers.unauthenticated,
    403: notPermitted,
    404: notFound,
    409: { description: 'The run is active.', reasons: ['dag_run_active'] },
    503: parserBusy,
  },
});

export const editRetryDagRun = endpoint({
  method: 'POST',
  path,
  operationId: 'editRetryDAGRun',
  audit: { category: 'dag_run', action: 'dag_run_edit_retry' },
  tag,
  summary: 'Queue a new run with an edited spec that keeps steps of a run',
  description:
    'With the parameters and the labels of the run. Steps that are not executed keep their end, outputs and logs; files in the working folder and artifacts of the run are not taken over. The id "latest" selects the newest run of the DAG.',
  access: 'authenticated',
  params,
  query,
  body: z
    .object({
      ...edited,
      dagRunId: DagRunId.optional(),
      skipSteps: z
        .array(z.string().min(1).max(255))
        .max(10_000)
        .optional()
        .describe('Names of the steps that are not executed; all others are. Default: those of the preview.'),
    })
    .meta({ id: 'EditRetryRequest', description: 'An edited spec, and what to keep of the run.' }),
  success: {
    status: 200,
    description: 'The new run is queued.',
    schema: z
      .object({
        dagRunId: z.string().describe('Id of the new run.'),
        queued: z.boolean().describe('Whether it waits in its queue: always.'),
        skippedSteps: stepNames.describe('Steps that are not executed.'),
        startedSteps: stepNames.describe('Steps that are executed.'),
      })
      .meta({ id: 'EditRetryResponse', description: 'The run that was queued.' }),
  },
  errors: {
    ...runRefusals,
    400: {
      description: `${runRefusals[400].description} Or a step of skipSteps has no end to keep.`,
      reasons: [...runRefusals[400].reasons, 'step_not_reusable'],
    },
    403: {
      description: `${notPermitted.description} Or the name of the DAG belongs to another workspace.`,
      reasons: runRefusals[403].reasons,
    },
    404: notFound,
    409: {
      description: 'The run is active or was retried meanwhile, or the run id exists already.',
      reasons: ['dag_run_active', 'dag_run_exists'],
    },
    503: {
      description: 'Too many large DAGs are waiting to be parsed, or the logs cannot be copied.',
      reasons: ['parser_busy', 'logs_not_copied'],
    },
  },
});
