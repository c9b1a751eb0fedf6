import { z } from 'zod';

/** Longest spec accepted, in characters. */
export const maxSpecLength = 1_048_576;

export const CommandEntry = z
  .object({
    command: z.string().describe('The command as written.'),
    args: z.array(z.string()).optional().describe('Its arguments, if they were given separately.'),
  })
  .meta({ id: 'CommandEntry', description: 'One command of a step.' });

export const Condition = z
  .object({
    condition: z.string().describe('A command, or a string to compare.'),
    expected: z.string().optional().describe('Expected result.'),
    negate: z.boolean().optional().describe('Inverts the result.'),
    error: z.string().optional().describe('Why it was not met.'),
    matched: z.boolean().optional().describe('Whether it was met.'),
  })
  .meta({ id: 'Condition', description: 'A precondition of a run or step.' });

export const RepeatPolicy = z
  .object({
    repeat: z.enum(['while', 'until']).optional().describe('Repeats while the check holds, or until it does.'),
    interval: z.int().optional().describe('Seconds between two iterations.'),
    limit: z.int().optional().describe('Maximum number of iterations.'),
    backoff: z.number().optional().describe('Factor by which each interval grows.'),
    maxIntervalSec: z.int().optional().describe('Maximum interval.'),
    condition: Condition.optional(),
    exitCode: z.array(z.int()).optional().describe('Exit codes that satisfy the check.'),
  })
  .meta({ id: 'RepeatPolicy', description: 'How a step is repeated.' });

export const ApprovalConfig = z
  .object({
    prompt: z.string().optional().describe('Prompt shown to the approver.'),
    input: z.array(z.string()).optional().describe('Values that the approver may give.'),
    required: z.array(z.string()).optional().describe('Values that the approver must give.'),
    rewindTo: z.string().optional().describe('The step from which execution restarts after a push-back.'),
  })
  .meta({ id: 'ApprovalConfig', description: 'An approval after a step.' });

export const Parallel = z
  .object({
    items: z.union([z.array(z.string()), z.string()]).describe('The items, or a reference to them.'),
    maxConcurrent: z.int().optional().describe('Maximum number of concurrent child runs.'),
  })
  .meta({ id: 'Parallel', description: 'One child run for each item.' });

export const ExecutorConfig = z
  .object({
    type: z.string().describe('The action; empty for commands.'),
    config: z.record(z.string(), z.unknown()).optional().describe('Its settings.'),
  })
  .meta({ id: 'ExecutorConfig', description: 'The action of a step.' });
export type ExecutorConfig = z.output<typeof ExecutorConfig>;

export const Step = z
  .object({
    name: z.string().describe('Name, unique in its DAG.'),
    id: z.string().optional().describe('Short name for references.'),
    description: z.string().optional().describe('Description of the step.'),
    dir: z.string().optional().describe('Working directory.'),
    commands: z.array(CommandEntry).optional().describe('Execute the child runs one after another.'),
    script: z.string().optional().describe('Script body.'),
    depends: z.array(z.string()).optional().describe('Names of the steps before this one.'),
    preconditions: z.array(Condition).optional().describe('Preconditions of the step.'),
    output: z.string().optional().describe('Variable that receives standard output.'),
    call: z.string().optional().describe('The DAG that the step runs.'),
    params: z.string().optional().describe('Parameters of that DAG.'),
    parallel: Parallel.optional(),
    repeatPolicy: RepeatPolicy.optional(),
    mailOnError: z.boolean().optional().describe('Whether mail is sent when the step fails.'),
    timeoutSec: z.int().optional().describe('Timeout of one attempt in seconds.'),
    executorConfig: ExecutorConfig.optional(),
    approval: ApprovalConfig.optional(),
  })
  .meta({ id: 'Step', description: 'One step of a DAG.' });
export type Step = z.output<typeof Step>;

export const HandlerOn = z
  .object({
    failure: Step.optional(),
    success: Step.optional(),
    abort: Step.optional(),
    exit: Step.optional(),
  })
  .meta({ id: 'HandlerOn', description: 'Handlers of the end of a run.' });
