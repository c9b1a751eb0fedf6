import { Button, useToast } from '@weir/ui-kit';
import { CalendarCheck, CalendarOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { useRefusal } from '../../../parts/use-refusal';
import { useSuspendDag } from '../../../parts/dag/dag-actions-data';
import { useDagMessages } from '../../../parts/dag/dag-messages';

export interface ScheduleSwitchProps {
  readonly fileName: string;
  readonly isSuspended: boolean;
}

/** Switches the schedule off or on at once, with an undo. */
export function ScheduleSwitch({ fileName, isSuspended }: ScheduleSwitchProps): ReactElement {
  const t = useDagMessages();
  const toast = useToast();
  const { mutate, isPending } = useSuspendDag();
  const reason = useRefusal('updateDAGSuspensionState');
  const change = (suspend: boolean): void =>
    mutate(
      { fileName, suspend },
      {
        onSuccess: () =>
          toast({
            message: t(suspend ? 'dag.schedule.nowOff' : 'dag.schedule.nowOn', { name: fileName }),
            action: { label: t('dag.undo'), onPress: () => change(!suspend) },
          }),
        onError: ({ message }) => toast({ message, tone: 'failed' }),
      },
    );
  const Icon = isSuspended ? CalendarCheck : CalendarOff;
  return (
    <Button disabledReason={reason} isPending={isPending} onPress={() => change(!isSuspended)}>
      <Icon aria-hidden size={16} />
      {t(isSuspended ? 'dag.schedule.switchOn' : 'dag.schedule.switchOff')}
    </Button>
  );
}
