import type { Part } from '../compact';
import type { DagSettings } from '../model/dag';
import { limits } from '../limits';
import { keySpec } from '../shapes/object-kind';
import type { Fields } from '../shapes/read-object';
import { boolean, enumShape, wholeNumber } from '../shapes/shapes';
import { schedule } from '../schedule/read-schedule';
import { timeSpan } from '../schedule/time-span';
import { oneLineName } from '../shapes/one-line-name';
import type { YamlValue } from '../yaml/yaml-value';

export const scheduleKeys = {
  schedule: keySpec('When runs start: cron texts, entries with kind, or both under start, stop and restart', schedule),
  skip_if_successful: keySpec('Leave out a start when a run has succeeded since the slot before', boolean),
  catchup_window: keySpec('How far missed starts are looked back for: 6h, 2d12h', timeSpan),
  overlap_policy: keySpec('What becomes of a missed start while a run is active', enumShape('skip', 'all', 'latest')),
  queue: keySpec('Queue of the runs; by default that of the DAG alone', oneLineName(limits.queueNameLength)),
  // Older files use -1, which disabled the queue.
  max_active_runs: keySpec('Without effect on the queue of the DAG; name a queue instead', wholeNumber(-1), {
    replacedBy: 'queue',
    reportedLater: true,
  }),
} as const;

export function readScheduleSettings(fields: Fields<typeof scheduleKeys>, { context }: YamlValue): Part<DagSettings> {
  const { schedule: when, max_active_runs: runs } = fields;
  if (runs) {
    const message = '"max_active_runs" is deprecated and has no effect; set a queue with its own limit';
    context.report.add('deprecated_key', runs.keyLocation, message);
  }
  return {
    schedule: when?.value?.start,
    stopSchedule: when?.value?.stop,
    restartSchedule: when?.value?.restart,
    skipIfSuccessful: fields.skip_if_successful?.value,
    catchupWindowSec: fields.catchup_window?.value,
    overlapPolicy: fields.overlap_policy?.value,
    queue: fields.queue?.value,
    maxActiveRuns: runs?.value,
  };
}
