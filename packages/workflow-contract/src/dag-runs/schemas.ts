import { z } from 'zod';
import { Condition, Step } from '../run-inputs/step-schemas';
import { DagRunId } from '../run-inputs/identity';

export const Status = z.union([0, 1, 2, 3, 4, 5, 6, 7, 8].map((value) => z.literal(value))).meta({
  id: 'Status',
  type: 'integer',
  enum: [0, 1, 2, 3, 4, 5, 6, 7, 8],
  description:
    'Status of a run: 0 not started, 1 running, 2 failed, 3 aborted, 4 succeeded, 5 queued, 6 partially succeeded, 7 waiting, 8 rejected.',
});

export const StatusLabel = z
  .enum([
    'not_started',
    'running',
    'failed',
    'aborted',
    'succeeded',
    'queued',
    'partially_succeeded',
    'waiting',
    'rejected',
  ])
  .meta({ id: 'StatusLabel', description: 'Status of a run as a label.' });

export const NodeStatus = z.union([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => z.literal(value))).meta({
  id: 'NodeStatus',
  type: 'integer',
  enum: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  description:
    'Status of a step: 0 not started, 1 running, 2 failed, 3 aborted, 4 succeeded, 5 skipped, 6 partially succeeded, 7 waiting, 8 rejected, 9 retrying.',
});

export const NodeStatusLabel = z
  .enum([
    'not_started',
    'running',
    'failed',
    'aborted',
    'succeeded',
    'skipped',
    'partially_succeeded',
    'waiting',
    'rejected',
    'retrying',
  ])
  .meta({ id: 'NodeStatusLabel', description: 'Status of a step as a label.' });

export const TriggerType = z
  .enum(['unknown', 'scheduler', 'manual', 'webhook', 'subdag', 'retry', 'catchup', 'file', 'event'])
  .meta({ id: 'TriggerType', description: 'What started a run.' });

export const RunActor = z
  .object({
    kind: z
      .enum(['user', 'api_key', 'job', 'anyone', 'command', 'schedule', 'backfill', 'run', 'webhook', 'file'])
      .describe(
        '"job": a CI job by its OIDC token; "anyone" where sign-in is disabled; "command": the command line on the machine of the server; "run": a step of another run.',
      ),
    name: z
      .string()
      .optional()
      .describe(
        'Of the user or the API key; subject of the token of the job; of the user of the machine; of the person who asked for the backfill; of the DAG of the run.',
      ),
    id: z
      .string()
      .optional()
      .describe('Of the user, the API key, the backfill or the run; issuer and subject of the token of the job.'),
  })
  .meta({ id: 'RunActor', description: 'Who or what started a run.' });

const labelList = z.array(z.string());

const summary = {
  dagRunId: z.string().describe('Id of the run; empty if the DAG never ran.'),
  name: z.string().describe('Name of the DAG.'),
  workspace: z.string().optional().describe('Workspace of the DAG.'),
  status: Status,
  statusLabel: StatusLabel,
  createdAt: z.string().optional().describe('When the run was stored, RFC 3339.'),
  profile: z.string().optional().describe('The profile that the run was started with.'),
  queue: z.string().optional().describe('Queue of the run, unless it is the default queue of its DAG.'),
  stopRequested: z.boolean().optional().describe('Whether the stop of an active run was requested.'),
  queuedAt: z.string().optional().describe('When the run was queued.'),
  autoRetryCount: z.int().describe('Automatic retries used.'),
  autoRetryLimit: z.int().nullable().describe('Automatic retries allowed; null for none.'),
  scheduleTime: z.string().optional().describe('The occurrence of a scheduled run.'),
  startedAt: z.string().describe('RFC 3339; empty before the start.'),
  finishedAt: z.string().describe('RFC 3339; empty while active.'),
  artifactsAvailable: z.boolean().describe('Whether the run has artifacts.'),
  params: z.string().optional().describe('Parameters as passed.'),
  workerId: z.string().optional().describe('Worker that executed the run.'),
  triggerType: TriggerType.optional(),
  startedBy: RunActor.optional().describe('Absent for a run of a version that did not record it.'),
  error: z.string().optional().describe('Why the run failed, if no step explains it.'),
  failedStep: z.string().optional().describe('In lists of runs: the step of a failed run that failed last.'),
  currentStep: z
    .string()
    .optional()
    .describe('In lists of runs: the first step of an active run that is running, retrying or waiting.'),
  currentStepCount: z.int().optional().describe('In lists of runs: how many steps are that, where there is one.'),
  labels: labelList.optional().describe('Labels of the run.'),
  tags: labelList.optional().meta({ description: 'The labels under their deprecated name.', deprecated: true }),
};

export const DagRunSummary = z.object(summary).meta({ id: 'DAGRunSummary', description: 'Summary of a run.' });
export type DagRunSummary = z.output<typeof DagRunSummary>;

export const RecentRun = z
  .object({
    dagRunId: z.string().describe('Id of the run.'),
    status: Status,
    statusLabel: StatusLabel,
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().describe('RFC 3339; empty while active.'),
  })
  .meta({ id: 'RecentRun', description: 'One of the last runs of a DAG.' });
export type RecentRun = z.output<typeof RecentRun>;

export const DagRunNeighbours = z
  .object({
    previous: DagRunId.optional().describe('Id of the run of the DAG before this one; absent for the oldest.'),
    next: DagRunId.optional().describe('Id of the run of the DAG after this one; absent for the newest.'),
  })
  .meta({ id: 'DAGRunNeighboursResponse', description: 'The runs of the DAG around a run.' });
export type DagRunNeighbours = z.output<typeof DagRunNeighbours>;

export const SubDagRun = z
  .object({
    dagRunId: z.string().describe('Id of the child run.'),
    params: z.string().optional().describe('Its parameters.'),
    dagName: z.string().optional().describe('Its DAG.'),
  })
  .meta({ id: 'SubDAGRun', description: 'A child run.' });

const textMap = z.record(z.string(), z.string());

export const PushBackHistoryEntry = z
  .object({
    iteration: z.int().min(1).describe('Number, counted from 1.'),
    by: z.string().optional().describe('Who pushed the step back.'),
    at: z.string().optional().describe('When, RFC 3339.'),
    inputs: textMap.optional().describe('Inputs of the push-back.'),
    comment: z.string().optional().describe('What was to be changed.'),
  })
  .meta({ id: 'PushBackHistoryEntry', description: 'One push-back.' });

const ModelUse = z
  .object({
    provider: z.string().describe('Provider of the model.'),
    model: z.string().describe('Name of the model.'),
    inputTokens: z.int().describe('Tokens that it has read, those from a cache included.'),
    outputTokens: z.int().describe('Tokens that it has written.'),
    cachedTokens: z.int().describe('Tokens that it has read from a cache of its provider.'),
    cost: z
      .number()
      .optional()
      .describe('In US dollars, by the prices in the settings of the agent; absent without a price.'),
  })
  .meta({ id: 'ModelUse', description: 'What was asked of one model.' });

const AgentTask = z
  .object({
    name: z.string().describe('Name of the task.'),
    description: z.string().describe('When it is done, as the model has read it.'),
    status: z.enum(['open', 'completed', 'skipped', 'failed']).describe('As the model has set it last.'),
    reason: z.string().optional().describe('Why, as the model says.'),
  })
  .meta({ id: 'AgentTask', description: 'A goal of an agent.' });

const AgentDecision = z
  .object({
    number: z.int().describe('Counts from 0 over all attempts of the run.'),
    at: z.string().describe('When the model decided, RFC 3339.'),
    model: z.string().describe('The model that decided.'),
    kind: z
      .enum(['action', 'ask_user', 'task_status', 'rejected', 'stalled'])
      .describe(
        'It chose a step, asked a person, or set a task; "rejected" for a call that was wrong or exceeded a limit, "stalled" for a reply without a call.',
      ),
    text: z.string().optional().describe('What the model wrote beside its call; the first 2,000 characters.'),
    step: z.string().optional().describe('The step of an action.'),
    run: z.int().optional().describe('Counts the runs of that step, from 1.'),
    logs: z.string().optional().describe('The name by which the logs of the action are read.'),
    status: NodeStatusLabel.optional().describe('How an action or a question ended; absent until then.'),
    startedAt: z.string().optional().describe('When the action started, RFC 3339.'),
    finishedAt: z.string().optional().describe('When the action ended, RFC 3339.'),
    question: z.string().optional().describe('The first 2,000 characters of the question.'),
    answer: z.string().optional().describe('The first 2,000 characters of the answer of a person.'),
    task: z.string().optional().describe('The task that was set.'),
    taskStatus: AgentTask.shape.status.optional().describe('What it was set to.'),
    reason: z.string().optional().describe('Why the task was set so, or the call was rejected.'),
  })
  .meta({ id: 'AgentDecision', description: 'What the model of an agent decided in one turn.' });

/** Named, because the type of the whole contract has to be written down. */
export interface Agent {
  tasks: z.output<typeof AgentTask>[];
  decisions: z.output<typeof AgentDecision>[];
}

const Agent: z.ZodType<Agent> = z
  .object({
    tasks: z.array(AgentTask).describe('The tasks, in the order of the file.'),
    decisions: z.array(AgentDecision).describe('The decisions of this attempt of the run, oldest first; 50 at most.'),
  })
  .meta({ id: 'Agent', description: 'What the model of a DAG of type agent has decided.' });

export const Node = z
  .object({
    step: Step,
    stdout: z.string().describe('Absolute path of the standard output; may be empty.'),
    stderr: z.string().describe('Absolute path of the standard error; may be empty.'),
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().describe('RFC 3339; empty before the end.'),
    status: NodeStatus,
    statusLabel: NodeStatusLabel,
    retryCount: z.int().describe('Number of retries so far.'),
    doneCount: z.int().describe('Number of iterations so far.'),
    subRuns: z.array(SubDagRun).optional().describe('Child runs.'),
    subRunsRepeated: z.array(SubDagRun).optional().describe('Child runs of earlier iterations.'),
    exitCode: z.int().optional().describe('Exit code of the process of the last attempt.'),
    error: z.string().optional().describe('Why the step failed.'),
    build: z
      .enum(['up_to_date', 'restored', 'executed'])
      .optional()
      .describe('How the step of a build came to its files: they were there, they were cached, or it executed.'),
    modelUse: z.array(ModelUse).optional().describe('The models that all of its attempts have asked.'),
    agent: Agent.optional().describe('In the details of a run, of the step of an agent that has begun.'),
    approvedAt: z.string().optional().describe('When the step was approved, RFC 3339.'),
    approvedBy: z.string().optional().describe('Who approved it.'),
    approvalInputs: textMap.optional().describe('Inputs of the approval; names in camel case.'),
    rejectedAt: z.string().optional().describe('When the step was rejected, RFC 3339.'),
    rejectedBy: z.string().optional().describe('Who rejected it.'),
    rejectionReason: z.string().optional().describe('Why it was rejected.'),
    approvalIteration: z.int().optional().describe('Number of push-backs.'),
    pushBackInputs: textMap.optional().describe('Inputs of the last push-back.'),
    pushBackHistory: z.array(PushBackHistoryEntry).optional().describe('All push-backs.'),
    preconditionsBypassed: z
      .object({ by: z.string().describe('Who.'), reason: z.string().describe('Why.') })
      .optional()
      .describe('Present when a retry executed the step without checking its preconditions.'),
    humanTaskCompletedBy: z.string().optional().describe('Who completed the human task.'),
  })
  .meta({ id: 'Node', description: 'A step of a run.' });
export type Node = z.output<typeof Node>;

export const DagRunDetails = z
  .object({
    ...summary,
    rootDAGRunName: z.string().describe('DAG of the root run.'),
    rootDAGRunId: z.string().describe('Id of the root run; its own for a root run.'),
    parentDAGRunName: z.string().optional().describe('DAG of the parent run.'),
    parentDAGRunId: z.string().optional().describe('Id of the parent run.'),
    log: z.string().describe('Absolute path of the log of the run.'),
    nodes: z.array(Node).describe('The steps, in the order of the spec.'),
    modelUse: z.array(ModelUse).optional().describe('The models that its steps have asked, without child runs.'),
    onInit: Node.optional(),
    onExit: Node.optional(),
    onSuccess: Node.optional(),
    onFailure: Node.optional(),
    onAbort: Node.optional(),
    onWait: Node.optional(),
    preconditions: z.array(Condition).optional().describe('Conditions of the DAG.'),
    specFromFile: z.boolean().optional().describe('Whether the source file still exists.'),
    sourceFileName: z.string().optional().describe('The source file, if it still exists.'),
  })
  .meta({ id: 'DAGRunDetails', description: 'Details of a run.' });
export type DagRunDetails = z.output<typeof DagRunDetails>;

export const DagRunDetailsResponse = z
  .object({ dagRunDetails: DagRunDetails })
  .meta({ id: 'DAGRunDetailsResponse', description: 'One run.' });

export const DagRunsPageResponse = z
  .object({
    dagRuns: z.array(DagRunSummary).describe('Newest first.'),
    nextCursor: z.string().optional().describe('Cursor of the next page; absent on the last page.'),
  })
  .meta({ id: 'DAGRunsPageResponse', description: 'A page of runs.' });

export const Log = z
  .object({
    content: z.string().describe('The lines.'),
    lineCount: z.int().optional().describe('Number of lines returned.'),
    totalLines: z.int().optional().describe('Number of lines in the file.'),
    hasMore: z
      .boolean()
      .optional()
      .describe('Whether the log has more lines: before the lines for "tail", after them otherwise.'),
    isEstimate: z.boolean().optional().describe('Whether totalLines is an estimate.'),
  })
  .meta({ id: 'Log', description: 'A part of a log.' });
export type Log = z.output<typeof Log>;

export const SubDagRunDetail = z
  .object({
    dagRunId: z.string().describe('Id of the child run.'),
    params: z.string().optional().describe('Its parameters.'),
    dagName: z.string().optional().describe('Its DAG.'),
    status: Status,
    statusLabel: StatusLabel,
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().optional().describe('RFC 3339; empty while active.'),
  })
  .meta({ id: 'SubDAGRunDetail', description: 'A child run with its state.' });
export type SubDagRunDetail = z.output<typeof SubDagRunDetail>;

export const SubDagRunsResponse = z
  .object({ subRuns: z.array(SubDagRunDetail).describe('Oldest first.') })
  .meta({ id: 'SubDAGRunsResponse', description: 'The child runs of a run.' });

export const OutputsMetadata = z
  .object({
    dagName: z.string().describe('Name of the DAG.'),
    dagRunId: z.string().describe('Id of the run.'),
    attemptId: z.string().describe('Id of the attempt of the run.'),
    status: StatusLabel,
    completedAt: z.string().describe('RFC 3339; of the year 1 while the run has not ended.'),
    params: z.string().optional().describe('Parameters as passed.'),
  })
  .meta({ id: 'OutputsMetadata', description: 'The run to which the outputs belong.' });

export const DagRunOutputs = z
  .object({
    metadata: OutputsMetadata,
    outputs: textMap.describe(
      'By name; names in upper case are converted to camel case. Values other than strings are JSON.',
    ),
  })
  .meta({ id: 'DAGRunOutputs', description: 'Outputs of the steps of a run.' });
export type DagRunOutputs = z.output<typeof DagRunOutputs>;
