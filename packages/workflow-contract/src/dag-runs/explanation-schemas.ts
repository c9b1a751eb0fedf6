import { z } from 'zod';
import { UserRole } from '../common/roles';
import { NodeStatusLabel, Status, StatusLabel } from './schemas';

export const causeKinds = [
  'approval',
  'child_run',
  'dag_suspended',
  'dependency',
  'ended',
  'human_task',
  'no_scheduler',
  'no_worker',
  'not_before',
  'owner_lost',
  'queue_full',
  'queue_paused',
  'queued',
  'ready',
  'retry_due',
  'step_limit',
  'step_retry',
  'stop_requested',
] as const;

export const ExplanationRun = z
  .object({
    name: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    statusLabel: StatusLabel,
  })
  .meta({ id: 'ExplanationRun', description: 'A run that holds another one up.' });

const ExplanationStep = z
  .object({ name: z.string().describe('Name of the step.'), statusLabel: NodeStatusLabel })
  .meta({ id: 'ExplanationStep', description: 'A step of the run.' });

const ExplanationQueue = z
  .object({
    name: z.string().describe('Name of the queue.'),
    slots: z.int().min(0).describe('Number of slots.'),
    slotsInUse: z.int().min(0).describe('Slots in use, by visible runs or not.'),
    position: z.int().min(1).describe('Position among the runs that wait, visible or not; 1 is the next one.'),
  })
  .meta({ id: 'ExplanationQueue', description: 'The queue in which the run waits.' });

const NearestWorker = z
  .object({
    id: z.string().describe('Id of the worker.'),
    host: z.string().describe('Its machine.'),
    labels: z.record(z.string(), z.string()).describe('Its labels.'),
    missing: z.record(z.string(), z.string()).describe('What it lacks of the selector.'),
  })
  .meta({ id: 'NearestWorker', description: 'The live worker that lacks the fewest labels of the selector.' });

export const ExplanationCause = z
  .object({
    kind: z.enum(causeKinds).describe('What holds the run or the step up.'),
    message: z.string().describe('The cause as a sentence.'),
    step: z.string().optional().describe('The step that is held up; absent for the run as a whole.'),
    queue: ExplanationQueue.optional(),
    runs: z
      .array(ExplanationRun)
      .optional()
      .describe('Runs that hold it up: they have the slots of the queue, or are the child runs.'),
    otherRuns: z.int().min(0).optional().describe('Further runs that do, but are not visible or more than 100.'),
    steps: z
      .array(ExplanationStep)
      .optional()
      .describe('Steps that hold it up: dependencies that have not ended, or the steps that are executing.'),
    role: UserRole.optional().describe('The role that may decide, in the workspace of the run.'),
    prompt: z.string().optional().describe('What the person is asked, as written.'),
    at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'When it may start, when the retry is due, when it ended, when the stop was requested, or since when the queue is paused.',
      ),
    owner: z.string().optional().describe('The worker that is lost.'),
    selector: z.record(z.string(), z.string()).optional().describe('The labels that no live worker has.'),
    nearest: NearestWorker.optional(),
    error: z.string().optional().describe('The error of the end or of the last attempt.'),
  })
  .meta({ id: 'ExplanationCause', description: 'One cause, with what holds the run or the step up.' });
export type ExplanationCause = z.output<typeof ExplanationCause>;

const StartEstimate = z
  .object({
    startsAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('When the run is expected to start; null where that cannot be said.'),
    basis: z.string().optional().describe('How many earlier runs it follows from, such as "12 runs".'),
    reason: z.string().optional().describe('Why there is no time, as a sentence.'),
  })
  .meta({
    id: 'StartEstimate',
    description: 'When the run is expected to start; only of one that waits in its queue.',
  });
export type StartEstimate = z.output<typeof StartEstimate>;

export const DagRunExplanation = z
  .object({
    name: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    status: Status,
    statusLabel: StatusLabel,
    step: ExplanationStep.optional().describe('The step that was asked about.'),
    estimate: StartEstimate.optional(),
    causes: z.array(ExplanationCause).describe('Every cause; empty while the run or the step is executing.'),
  })
  .meta({ id: 'DAGRunExplanation', description: 'Why a run or a step is not running.' });
export type DagRunExplanation = z.output<typeof DagRunExplanation>;
