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
