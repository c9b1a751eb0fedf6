import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { limits } from '../../model/limits';
import { keySpec } from '../../shapes/object-kind';
import type { Fields } from '../../shapes/read-object';
import { boolean, enumShape, wholeNumber } from '../../shapes/shapes';
import { schedule } from '../../values/schedule/read-schedule';
import { timeSpan } from '../../values/schedule/time-span';
import { triggers } from './triggers';
import { oneLineName } from '../../shapes/one-line-name';
import type { YamlValue } from '../../source/yaml/yaml-value';

export const scheduleKeys = {
  schedule: keySpec(
    'When runs start: cron expressions, entries with kind, or both under start, stop and restart',
    schedule,
  ),
  triggers: keySpec('Files and events that start runs', triggers),
  skip_if_successful: keySpec('Skip an occurrence when a run has succeeded since the previous one', boolean),
  catchup_window: keySpec('How far back missed occurrences are caught up: 6h, 2d12h', timeSpan),
  overlap_policy: keySpec('What happens to an occurrence while a run is active', enumShape('skip', 'all', 'latest')),
  queue: keySpec("Queue of the runs; default: the DAG's own queue", oneLineName(limits.queueNameLength)),
  // Older files use -1, which disabled the queue.
  max_active_runs: keySpec("Deprecated, has no effect on the DAG's own queue; use queue instead", wholeNumber(-1), {
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
    triggers: fields.triggers?.value,
    skipIfSuccessful: fields.skip_if_successful?.value,
    catchupWindowSec: fields.catchup_window?.value,
    overlapPolicy: fields.overlap_policy?.value,
    queue: fields.queue?.value,
    maxActiveRuns: runs?.value,
  };
}
