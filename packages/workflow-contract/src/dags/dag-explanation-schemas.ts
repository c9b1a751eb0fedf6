import { z } from 'zod';
import { ExplanationRun } from '../dag-runs/explanation-schemas';

export const dagCauseKinds = [
  'calendar_ended',
  'calendar_excludes',
  'calendar_unknown',
  'dag_invalid',
  'dag_suspended',
  'has_run',
  'no_scheduler',
  'no_schedule',
  'not_due',
  'not_scheduled',
  'not_settled',
  'run_active',
  'skipped',
  'unknown',
] as const;

const time = z.iso.datetime({ offset: true });
const reason = z
  .enum(['active', 'successful', 'missed', 'calendar', 'refused', 'gone'])
  .describe(
    '"active": a run of the DAG was active and `overlap_policy` is `skip`; "successful": it had succeeded since the occurrence before (`skip_if_successful`); "missed": no scheduler was active in time, or a newer occurrence replaced it; "calendar": its calendar excludes the day; "refused": the run could not be made; "gone": the file was removed or held another DAG.',
  );

const DagExplanationCause = z
  .object({
    kind: z.enum(dagCauseKinds).describe('What the cause is.'),
    message: z.string().describe('The cause as a sentence.'),
    reason: reason.optional(),
    at: time.optional().describe('Since when the DAG is suspended, when its schedule was resumed, or when it is due.'),
    runs: z
      .array(ExplanationRun)
      .optional()
      .describe('Runs that are, or were then, active; or the run of the occurrence.'),
    otherRuns: z.int().min(0).optional().describe('Further ones that are not visible.'),
    error: z.string().optional().describe('Why the run was refused, or the first error of the file.'),
  })
  .meta({ id: 'DAGExplanationCause', description: 'One cause why a schedule does not start, or did not.' });
export type DagExplanationCause = z.output<typeof DagExplanationCause>;

const SkippedOccurrences = z
  .object({
    first: time.describe('The first of them.'),
    last: time.describe('The last of them.'),
    count: z.int().min(1).describe('How many there are.'),
    reason,
    message: z.string().describe('The reason as a sentence.'),
    error: z.string().optional().describe('Why the run was refused.'),
  })
  .meta({ id: 'SkippedOccurrences', description: 'Occurrences that follow each other and got no run.' });
export type SkippedOccurrences = z.output<typeof SkippedOccurrences>;

const TriggerFile = z
  .object({
    path: z.string().describe('Absolute path of the file.'),
    changedAt: time.describe('When it was last changed.'),
    state: z
      .enum(['started', 'changing', 'waiting'])
      .describe('"started": it has its run; "changing": it is not quiet yet; "waiting": its run is to be started.'),
    message: z.string().describe('The state as a sentence.'),
    dagRunId: z.string().optional().describe('The run that it has started.'),
  })
  .meta({ id: 'TriggerFile', description: 'A file that matches a trigger of a DAG.' });
export type TriggerFile = z.output<typeof TriggerFile>;

export const DagExplanation = z
  .object({
    fileName: z.string().describe('Name of the file.'),
    name: z.string().describe('Name of the DAG.'),
    occurrence: time.optional().describe('The moment that was asked about.'),
    next: time.optional().describe('The next occurrence; absent when there is none.'),
    causes: z
      .array(DagExplanationCause)
      .describe('Every cause. Empty when nothing holds the next occurrence up; never empty for an occurrence.'),
    skipped: z.array(SkippedOccurrences).describe('The last occurrences that got no run, newest first, at most 20.'),
    files: z
      .array(TriggerFile)
      .optional()
      .describe('The newest files that match the triggers of the DAG, at most 20; absent when there are none.'),
  })
  .meta({ id: 'DAGExplanation', description: 'Why the schedule of a DAG does not start it.' });
export type DagExplanation = z.output<typeof DagExplanation>;
