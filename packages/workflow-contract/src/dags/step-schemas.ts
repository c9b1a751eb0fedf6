import { z } from 'zod';

export const CommandEntry = z
  .object({
    command: z.string().describe('The command as written.'),
    args: z.array(z.string()).optional().describe('Its arguments, where they were written apart.'),
  })
  .meta({ id: 'CommandEntry', description: 'One command of a step.' });

export const Condition = z
  .object({
    condition: z.string().describe('A command, or a text to compare.'),
    expected: z.string().optional().describe('What the text must be.'),
    negate: z.boolean().optional().describe('Turns the result round.'),
    error: z.string().optional().describe('Why it was not met.'),
    matched: z.boolean().optional().describe('Whether it was met.'),
  })
  .meta({ id: 'Condition', description: 'Something that must hold before a run or step.' });

export const RepeatPolicy = z
  .object({
    repeat: z.enum(['while', 'until']).optional().describe('Goes on as long as the check holds, or until it does.'),
    interval: z.int().optional().describe('Seconds between two turns.'),
    limit: z.int().optional().describe('Most turns.'),
    backoff: z.number().optional().describe('Factor by which each interval is longer than the one before.'),
    maxIntervalSec: z.int().optional().describe('Longest interval.'),
    condition: Condition.optional(),
    exitCode: z.array(z.int()).optional().describe('Exit codes that count as the check.'),
  })
  .meta({ id: 'RepeatPolicy', description: 'How a step is done again and again.' });

export const ApprovalConfig = z
  .object({
    prompt: z.string().optional().describe('What the approver is shown.'),
    input: z.array(z.string()).optional().describe('Values that the approver may give.'),
    required: z.array(z.string()).optional().describe('Values that the approver must give.'),
    rewindTo: z.string().optional().describe('The step from which work is done again after a push-back.'),
  })
  .meta({ id: 'ApprovalConfig', description: 'A gate after a step.' });

export const Parallel = z
  .object({
    items: z.union([z.array(z.string()), z.string()]).describe('The items, or a reference to them.'),
    maxConcurrent: z.int().optional().describe('Child runs at the same time.'),
  })
  .meta({ id: 'Parallel', description: 'One child run for each item.' });

export const ExecutorConfig = z
  .object({
    type: z.string().describe('The action; empty for plain commands.'),
    config: z.record(z.string(), z.unknown()).optional().describe('Its settings.'),
  })
  .meta({ id: 'ExecutorConfig', description: 'The action of a step.' });

export const Step = z
  .object({
    name: z.string().describe('Unique in its DAG.'),
    id: z.string().optional().describe('Short name for references.'),
    description: z.string().optional().describe('What the step does.'),
    dir: z.string().optional().describe('Working directory.'),
    commands: z.array(CommandEntry).optional().describe('Run one after another.'),
    script: z.string().optional().describe('Script body.'),
    depends: z.array(z.string()).optional().describe('Names of the steps before this one.'),
    preconditions: z.array(Condition).optional().describe('What must hold before the step.'),
    output: z.string().optional().describe('Variable that receives standard output.'),
    call: z.string().optional().describe('The DAG that the step runs.'),
    params: z.string().optional().describe('Parameters of that DAG.'),
    parallel: Parallel.optional(),
    repeatPolicy: RepeatPolicy.optional(),
    mailOnError: z.boolean().optional().describe('Whether mail is sent when the step fails.'),
    timeoutSec: z.int().optional().describe('Seconds for one attempt.'),
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
  .meta({ id: 'HandlerOn', description: 'Steps that run when a run ends.' });
