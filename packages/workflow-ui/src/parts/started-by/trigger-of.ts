import type { Schemas } from '../../api/client';

type Run = Pick<Schemas['DAGRunSummary'], 'startedBy' | 'triggerType'>;
type Kind = NonNullable<Run['startedBy']>['kind'];

export type Trigger =
  | Exclude<NonNullable<Run['triggerType']>, 'scheduler'>
  | 'schedule'
  | Exclude<Kind, 'user' | 'anyone' | 'schedule' | 'webhook' | 'run'>;

/** What started a run, in one word, and the name of who or what that was. */
export function triggerOf({ startedBy, triggerType = 'unknown' }: Run): { trigger: Trigger; name?: string } {
  const { kind, name } = startedBy ?? {};
  const named = name === undefined ? {} : { name };
  if (kind === 'run') return { trigger: 'subdag', ...named };
  if (kind === 'api_key' || kind === 'job' || kind === 'command' || kind === 'backfill') {
    return { trigger: kind, ...named };
  }
  const trigger = triggerType === 'scheduler' ? 'schedule' : triggerType;
  return kind === 'schedule' || kind === 'webhook' ? { trigger } : { trigger, ...named };
}
