import type { Schemas } from '../../api/client';

type Run = Pick<Schemas['DAGRunSummary'], 'startedBy' | 'triggerType'>;
type Kind = NonNullable<Run['startedBy']>['kind'];

export type Trigger =
  | Exclude<NonNullable<Run['triggerType']>, 'scheduler'>
  | 'schedule'
  | Exclude<Kind, 'user' | 'anyone' | 'schedule' | 'webhook' | 'file' | 'run'>;

/** Returns the kind of trigger of a run, and the name of the person or object. */
export function triggerOf({ startedBy, triggerType = 'unknown' }: Run): { trigger: Trigger; name?: string } {
  const { kind, name } = startedBy ?? {};
  const named = name === undefined ? {} : { name };
  if (kind === 'run') return { trigger: 'subdag', ...named };
  if (kind === 'api_key' || kind === 'job' || kind === 'command' || kind === 'backfill') {
    return { trigger: kind, ...named };
  }
  const trigger = triggerType === 'scheduler' ? 'schedule' : triggerType;
  return kind === 'schedule' || kind === 'webhook' || kind === 'file' ? { trigger } : { trigger, ...named };
}
