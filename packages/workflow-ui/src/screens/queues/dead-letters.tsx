import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Panel, Table, type TableColumn } from '@weir/ui-kit';
import { unwrap, type Failure } from '@weir/ui-kit/app';
import { useEffect, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { RunLink } from '../../parts/run-link';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { useQueuesMessages } from './queues-messages';
import styles from '../../parts/screen-body.module.css';

type DeadLetter = Schemas['DeadLetter'];

export interface DeadLettersProps {
  /** Changes with the queues: a run that is given up leaves one. */
  readonly state: unknown;
}

/** The runs that were given up, and their new start. Renders nothing without one. */
export function DeadLetters({ state }: DeadLettersProps): ReactElement | null {
  const t = useQueuesMessages();
  const client = useQueryClient();
  useEffect(() => void client.invalidateQueries({ queryKey: ['dead-letters'] }), [client, state]);
  const { data } = useQuery<Schemas['DeadLettersResponse'], Failure>({
    queryKey: ['dead-letters'],
    queryFn: ({ signal }) => unwrap(api.GET('/dead-letters', { signal })),
  });
  const columns = useColumns();
  const { deadLetters = [] } = data ?? {};
  if (deadLetters.length === 0) return null;
  return (
    <Panel
      title={t('queues.givenUp')}
      description={t('queues.givenUp.text')}
      actions={<Redrive label={t('queues.redriveAll')} name={t('queues.redriveAllLabel')} body={{}} />}
    >
      <div className={styles.bleed}>
        <Table
          label={t('queues.givenUp')}
          items={deadLetters}
          getId={({ run: { name, dagRunId } }) => `${name}/${dagRunId}`}
          columns={columns}
        />
      </div>
    </Panel>
  );
}

function useColumns(): readonly TableColumn<DeadLetter>[] {
  const t = useQueuesMessages();
  return [
    { id: 'run', name: t('queues.run'), isRowHeader: true, width: 'grow', render: ({ run }) => <RunLink {...run} /> },
    { id: 'queue', name: t('queues.name'), render: ({ queue }) => queue },
    {
      id: 'reason',
      name: t('queues.givenUp.reason'),
      render: ({ reason, failures }) => t(`queues.givenUp.${reason}`, { failures }),
    },
    { id: 'at', name: t('queues.since'), render: ({ at }) => <Age value={at} /> },
    {
      id: 'actions',
      isButtons: true,
      name: t('queues.actions'),
      align: 'end',
      render: ({ run: { dagRunId, workspace } }) => (
        <Redrive
          label={t('queues.redrive')}
          name={t('queues.redriveLabel', { id: dagRunId })}
          body={{ dagRunId }}
          workspace={workspace}
        />
      ),
    },
  ];
}

interface RedriveProps {
  readonly label: string;
  /** What is announced. */
  readonly name: string;
  readonly body: Schemas['RedriveRequest'];
  readonly workspace?: string | undefined;
}

function Redrive({ label, name, body, workspace }: RedriveProps): ReactElement {
  const t = useQueuesMessages();
  const refusal = useRefusal('redriveDeadLetters', workspace);
  const { mutate, isPending } = useAction({
    run: () => unwrap(api.POST('/dead-letters/redrive', { body })),
    done: (_input, { redriven, refused }) => t('queues.redriven', { count: redriven.length, refused: refused.length }),
    changes: ['dead-letters', 'live'],
  });
  return (
    <Button aria-label={name} isPending={isPending} disabledReason={refusal} onPress={() => mutate()}>
      {label}
    </Button>
  );
}
