import type { JsonObject } from './json';

/** What starts runs of a DAG besides its schedule. */
export type Trigger = FileTrigger | EventTrigger;

/** Starts runs for files that arrive. */
export interface FileTrigger {
  /** A glob, absolute or relative to the folder of the DAG files, or `s3://BUCKET/KEYS` with a glob of keys. */
  readonly files: string;
  /** For how long a file must not have changed. */
  readonly quietSec: number;
  /** Whether all files that are quiet get one run together. */
  readonly batch: boolean;
  /** How the store is reached, as far as the `s3` of the DAG does not say. */
  readonly s3?: JsonObject;
}

/** Starts a run for each CloudEvent that it accepts. */
export interface EventTrigger {
  /** The type of the event; `*` stands for any characters. */
  readonly event: string;
  /** The source of the event; `*` stands for any characters. Default: every source. */
  readonly source?: string;
  /** A jq expression on the event; `false` and `null` leave it out. Default: every event. */
  readonly filter?: string;
}

export function isFileTrigger(trigger: Trigger): trigger is FileTrigger {
  return 'files' in trigger;
}

export function isEventTrigger(trigger: Trigger): trigger is EventTrigger {
  return 'event' in trigger;
}
