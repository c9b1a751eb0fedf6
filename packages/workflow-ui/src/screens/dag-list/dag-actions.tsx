import { Link } from '@tanstack/react-router';
import { IconButton, iconLinkClass, Tooltip, useToast } from '@weir/ui-kit';
import { CalendarCheck, CalendarOff, Pencil } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Schemas } from '../../api/client';
import { StartButton } from '../../parts/start/start-button';
import { useRefusal } from '../../parts/use-refusal';
import { useSuspendDag } from '../../parts/dag/dag-actions-data';
import { useDagListMessages } from './dag-list-messages';
import styles from './dag-list.module.css';

/** The actions on a DAG in the list, which are performed at once, with an undo. */
export function DagActions({ dag: file }: { readonly dag: Schemas['DAGFile'] }): ReactElement {
  const { dag, suspended } = file;
  return (
    <span className={styles.actions}>
      {dag.schedule === undefined || dag.schedule.length === 0 ? null : (
        <ScheduleSwitch fileName={file.fileName} suspended={suspended} workspace={dag.workspace} />
      )}
      <EditLink fileName={file.fileName} />
      <StartButton
        fileName={file.fileName}
        name={dag.name === '' ? file.fileName : dag.name}
        workspace={dag.workspace}
        hasParams={dag.params !== undefined && dag.params.length > 0}
        isBroken={file.errors.length > 0}
      />
    </span>
  );
}

/** Opens the text at once. */
function EditLink({ fileName }: { readonly fileName: string }): ReactElement {
  const t = useDagListMessages();
  const label = t('dags.edit', { name: fileName });
  return (
    <Link
      to="/dags/$fileName"
      params={{ fileName }}
      search={{ tab: 'spec' }}
      aria-label={label}
      title={label}
      data-shortcut="e"
      aria-keyshortcuts="e"
      className={iconLinkClass}
    >
      <Pencil aria-hidden size={16} />
    </Link>
  );
}

interface ScheduleSwitchProps {
  readonly fileName: string;
  readonly suspended: boolean;
  readonly workspace: string | undefined;
}

function ScheduleSwitch({ fileName, suspended, workspace }: ScheduleSwitchProps): ReactElement {
  const t = useDagListMessages();
  const toast = useToast();
  const { mutate, isPending } = useSuspendDag();
  const disabledReason = useRefusal('updateDAGSuspensionState', workspace);
  const change = (suspend: boolean): void =>
    mutate(
      { fileName, suspend },
      {
        onSuccess: () =>
          toast({
            message: t(suspend ? 'dags.suspendedNow' : 'dags.resumedNow', { name: fileName }),
            action: { label: t('dags.undoSchedule'), onPress: () => change(!suspend) },
          }),
        onError: ({ message }) => toast({ message, tone: 'failed' }),
      },
    );
  const Icon = suspended ? CalendarOff : CalendarCheck;
  const label = t(suspended ? 'dags.resume' : 'dags.suspend', { name: fileName });
  return (
    <Tooltip text={label}>
      <IconButton
        icon={<Icon aria-hidden size={16} />}
        label={label}
        disabledReason={disabledReason}
        isPending={isPending}
        onPress={() => change(!suspended)}
      />
    </Tooltip>
  );
}
