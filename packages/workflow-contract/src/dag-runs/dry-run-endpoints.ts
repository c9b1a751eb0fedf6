import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { remoteNode } from '../common/parameters';
import { DagName } from '../run-inputs/identity';
import { checkRunRequest, runRefusals, runRequest } from '../run-inputs/run-request';
import { maxSpecLength } from '../run-inputs/step-schemas';

const query = z.object({ remoteNode });
const { params, only, outputs } = runRequest;
const request = { params, only, outputs };

const PlannedStep = z
  .object({
    name: z.string().describe('Name of the step.'),
    id: z.string().optional().describe('Its id.'),
    work: z.string().describe('The kind of its work, such as "command", or the name of its action; never its text.'),
    depends: z.array(z.string()).describe('Names of the steps before it.'),
    skipped: z.boolean().describe('Whether `only` leaves it out.'),
  })
  .meta({ id: 'PlannedStep', description: 'A step that a run would execute.' });

const success = {
  status: 200,
  description: 'What the run would execute.',
  schema: z
    .object({
      dag: z.string().describe('Name of the DAG.'),
      params: z
        .array(
          z
            .object({
              name: z.string().describe('Name, or the position of a positional parameter.'),
              value: z.string().optional().describe('Absent where the value is computed when a run starts.'),
            })
            .meta({ id: 'PlannedParam', description: 'A parameter that a run would have.' }),
        )
        .describe('The parameters, in the order of their declarations.'),
      steps: z.array(PlannedStep).describe('The steps, in a possible order.'),
    })
    .meta({ id: 'DryRunResponse', description: 'What a run would execute. Nothing is executed or stored.' }),
} as const;

const errors = {
  400: {
    description: 'The DAG has errors, or the parameters or the chosen steps are not valid.',
    reasons: ['request_invalid', 'spec_invalid', 'params_invalid', 'steps_invalid', 'remote_node_unknown'],
  },
  401: runRefusals[401],
  403: { description: 'The role does not permit such a run in this workspace.', reasons: ['role_missing'] },
  501: runRefusals[501],
  503: runRefusals[503],
} as const;

export const dryRunDag = endpoint({
  method: 'POST',
  path: '/dags/{fileName}/dry-run',
  operationId: 'dryRunDAG',
  audit: 'no-change',
  tag: 'dags',
  summary: 'Get what a start would execute',
  description: 'Refuses what a start would refuse because of the DAG, the parameters or the chosen steps.',
  access: 'authenticated',
  params: z.object({ fileName: DagName }),
  query,
  body: z
    .object(request)
    .superRefine(checkRunRequest)
    .meta({ id: 'DryRunDAGRequest', description: 'How the DAG would be run.' }),
  success,
  errors: { ...errors, 404: runRefusals[404] },
});

export const dryRunSpec = endpoint({
  method: 'POST',
  path: '/dag-runs/dry-run',
  operationId: 'dryRunDAGRunFromSpec',
  audit: 'no-change',
  tag: 'dag-runs',
  summary: 'Get what a start of a given spec would execute',
  description: 'Refuses what a start would refuse because of the spec, the parameters or the chosen steps.',
  access: 'authenticated',
  query,
  body: z
    .object({
      spec: z.string().max(maxSpecLength).describe('YAML text; it may contain local DAGs.'),
      name: z.string().min(1).max(255).optional().describe('Name of the DAG, instead of the one in the spec.'),
      ...request,
    })
    .superRefine(checkRunRequest)
    .meta({ id: 'DryRunDAGRunFromSpecRequest', description: 'A spec, and how it would be run.' }),
  success,
  errors,
});
