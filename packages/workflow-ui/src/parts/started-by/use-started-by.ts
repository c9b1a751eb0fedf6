import { defineMessages } from '@weir/ui-kit/app';
import type { Schemas } from '../../api/client';
import messages from './messages.json';

export const useStartedByMessages = defineMessages(messages);

/** Describes who or what started a run; for a run of an earlier version only the trigger is known. */
export function useStartedBy(): (run: Pick<Schemas['DAGRunSummary'], 'startedBy' | 'triggerType'>) => string {
  const t = useStartedByMessages();
  return ({ startedBy, triggerType = 'unknown' }) => {
    const { kind, name = '' } = startedBy ?? {};
    if (kind === undefined || kind === 'schedule' || kind === 'webhook' || kind === 'file') {
      return t(`startedBy.trigger.${triggerType}`);
    }
    if (kind === 'user') return triggerType === 'retry' ? t('startedBy.retry', { name }) : name;
    return t(`startedBy.${kind}`, { name });
  };
}
