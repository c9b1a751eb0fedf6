import { z } from 'zod';
import { DagRunId } from '../run-inputs/identity';

const maxInputs = 100;
const inputs = z
  .record(z.string().max(255), z.string().max(65_536))
  .refine((given) => Object.keys(given).length <= maxInputs, `must have at most ${maxInputs} names`)
  .optional()
  .describe('Values by name; unknown names are ignored.');
const settled = {
  dagRunId: z.string().describe('Id of the run.'),
  stepName: z.string().describe('Name of the step.'),
};
const resumed = z.boolean().describe('Whether this resumes the run.');

export const RetryDagRunRequest = z
  .object({
    dagRunId: DagRunId,
    stepName: z.string().min(1).max(255).optional().describe('Execute only this step.'),
    includeDownstream: z.boolean().optional().describe('Also execute the steps after it; only with stepName.'),
    subDAGRunId: DagRunId.optional(),
    bypassPreconditions: z
      .string()
      .trim()
      .min(1)
      .max(1024)
      .optional()
      .describe('Why the step executes without its preconditions being checked; recorded. Only with stepName.'),
  })
  .refine(({ stepName, includeDownstream, subDAGRunId, bypassPreconditions }) => {
    return stepName !== undefined || (includeDownstream ?? subDAGRunId ?? bypassPreconditions) === undefined;
  }, '"includeDownstream", "subDAGRunId" and "bypassPreconditions" need "stepName".')
  .meta({ id: 'RetryDAGRunRequest', description: 'The steps of a run to execute again.' });

export const ApproveStepRequest = z
  .object({ inputs })
  .meta({ id: 'ApproveStepRequest', description: 'Inputs of an approval.' });

export const ApproveStepResponse = z
  .object({ ...settled, resumed })
  .meta({ id: 'ApproveStepResponse', description: 'A step was approved.' });

export const RejectStepRequest = z
  .object({ reason: z.string().max(4096).optional().describe('Readable reason.') })
  .meta({ id: 'RejectStepRequest', description: 'Reason for the rejection of a step.' });

export const RejectStepResponse = z
  .object({ ...settled, resumed: resumed.optional() })
  .meta({ id: 'RejectStepResponse', description: 'A step was rejected.' });

export const PushBackStepRequest = z
  .object({
    inputs,
    comment: z.string().max(4096).optional().describe('What is to be changed; the steps read it.'),
    rewindTo: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Name or id of the step to return to: this one or one before it. Default: that of the file.'),
  })
  .meta({ id: 'PushBackStepRequest', description: 'Where the run returns to, and what the steps are told.' });

export const PushBackStepResponse = z
  .object({
    ...settled,
    approvalIteration: z.int().describe('Number of push-backs.'),
    resumed,
    subDAGRunId: z.string().optional().describe('The child run that the step belongs to.'),
  })
  .meta({ id: 'PushBackStepResponse', description: 'A step was pushed back.' });

export const HumanTaskInput = z.record(z.string().max(255), z.unknown()).meta({
  id: 'HumanTaskInput',
  description: 'The fields of the form; {} if there is none. Fields that the form does not name may be any JSON.',
});

export const HumanTaskCompletionResponse = z
  .object({
    dagName: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    stepId: z.string().describe('Id of the step.'),
    alreadyCompleted: z.boolean().describe('Whether the same answer was submitted before.'),
    queued: z.boolean().describe('Whether this resumes the run.'),
    remainingWaitingSteps: z.int().min(0).describe('Number of steps of the run that are still waiting.'),
  })
  .meta({ id: 'HumanTaskCompletionResponse', description: 'The human task was completed.' });
