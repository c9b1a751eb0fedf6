import { z } from 'zod';
import { StatusLabel } from './schemas';

export const RunAttempt = z
  .object({
    number: z.int().min(1).describe('Counts the executions of the run from 1.'),
    attemptId: z.string().describe('The attempt of the run, as the event log and the outputs name it.'),
    cause: z
      .enum(['start', 'edit_retry', 'retry', 'auto_retry', 'restart', 'take_over'])
      .describe(
        'Why it began: the run was started; started as an edited copy of another run; retried by a person; retried by the policy of its DAG; given back by a worker that stopped; taken over from a worker that was lost.',
      ),
    status: z
      .enum([...StatusLabel.options, 'interrupted'])
      .describe('How it ended, or how the run is now; "interrupted" when another worker continued the attempt.'),
    startedAt: z.string().describe('RFC 3339; empty before the start.'),
    finishedAt: z.string().describe('RFC 3339; empty while active. Of an interrupted one: when the next one began.'),
    exitCode: z.int().optional().describe('Exit code of the step that failed last.'),
    error: z.string().optional().describe('Why the run failed, if no step explains it.'),
    worker: z.string().optional().describe('The worker that executed it.'),
    reusedSteps: z.int().min(0).describe('How many steps of the DAG were not executed again, because they had passed.'),
  })
  .meta({ id: 'RunAttempt', description: 'An execution of a run.' });
export type RunAttempt = z.output<typeof RunAttempt>;

export const RunAttemptsResponse = z
  .object({
    attempts: z.array(RunAttempt).describe('In their order, the present one last; at most the newest 200.'),
    total: z.int().describe('How many executions the run has had.'),
  })
  .meta({ id: 'RunAttemptsResponse', description: 'The executions of a run.' });
export type RunAttemptsResponse = z.output<typeof RunAttemptsResponse>;
