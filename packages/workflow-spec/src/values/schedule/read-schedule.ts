import type { Schedule } from '../../model/schedule';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { shape, transformShape } from '../../shapes/shape';
import { either, oneOrMany } from '../../shapes/shapes';
import { getEntries, getKind, report, type YamlValue } from '../../source/yaml/yaml-value';
import { entryKind, scheduleEntry } from './schedule-entry';

export interface Schedules {
  readonly start: readonly Schedule[];
  readonly stop?: readonly Schedule[];
  readonly restart?: readonly Schedule[];
}

const bound = {
  limit: limits.schedules,
  code: 'invalid_schedule',
  what: 'invalid schedule: the list of a DAG',
} as const;
const entries = oneOrMany(scheduleEntry, bound);

/** A stop that a holiday holds back would leave a run active, so only starts follow calendars. */
const everyDayEntry = shape<Schedule>((value) => {
  const entry = scheduleEntry.read(value);
  if (entry?.kind !== 'cron' || entry.calendar === undefined) return entry;
  report(value, 'invalid_schedule', 'invalid schedule: only starts have a calendar, stop and restart have none');
  return undefined;
}, scheduleEntry.schema);
const everyDayEntries = oneOrMany(everyDayEntry, bound);

const stopEntry = shape<Schedule>((value) => {
  const entry = everyDayEntry.read(value);
  if (entry?.profile === undefined) return entry;
  report(value, 'invalid_schedule', 'invalid schedule: a stop has no profile');
  return undefined;
}, scheduleEntry.schema);
const stopEntries = oneOrMany(stopEntry, bound);

const schedulesKind = objectKind({
  title: 'schedule',
  keys: {
    start: keySpec('When runs start', entries),
    stop: keySpec('When active runs are stopped', stopEntries),
    restart: keySpec('When active runs are stopped and restarted', everyDayEntries),
  },
});

const schedulesMap = objectShape(schedulesKind, ({ start, stop, restart }): Schedules => ({
  start: start?.value ?? [],
  ...(stop?.value && { stop: stop.value }),
  ...(restart?.value && { restart: restart.value }),
}));

/** A cron string, an entry, a list of both, or a map of them under `start`, `stop` and `restart`. */
export const schedule = either(
  isSchedulesMap,
  schedulesMap,
  transformShape(entries, (start): Schedules => ({ start })),
);

function isSchedulesMap(value: YamlValue): boolean {
  return getKind(value) === 'map' && !getEntries(value).some(({ key }) => entryKind.spellings.has(key));
}
