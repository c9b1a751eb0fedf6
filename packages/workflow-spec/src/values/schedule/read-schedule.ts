import type { Schedule } from '../../model/schedule';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { transformShape } from '../../shapes/shape';
import { either, oneOrMany } from '../../shapes/shapes';
import { getEntries, getKind, type YamlValue } from '../../source/yaml/yaml-value';
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

const schedulesKind = objectKind({
  title: 'schedule',
  keys: {
    start: keySpec('When runs start', entries),
    stop: keySpec('When active runs are stopped', entries),
    restart: keySpec('When active runs are stopped and restarted', entries),
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
