import { Link } from '@tanstack/react-router';
import { Button, EmptyState, useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { useStart } from '../../parts/start/start-data';
import { useRefusal } from '../../parts/use-refusal';
import { dagListSource } from '../../parts/dag/dag-list-source';
import { useHomeMessages } from './home-messages';

/** The server writes this example into the folder of a new installation. */
const exampleName = 'merge-sources';

/** The first steps on a new server. */
export function Welcome(): ReactElement {
  const t = useHomeMessages();
  const toast = useToast();
  const { mutate, isPending } = useStart();
  const dags = useLiveQuery(dagListSource({ name: exampleName }));
  const example = dags.data?.dags.find(({ fileName }) => fileName === exampleName);
  const refusal = useRefusal('executeDAG', example?.dag.workspace);
  if (example === undefined) {
    return (
      <EmptyState title={t('home.welcome.title')} action={<Link to="/dags">{t('home.welcome.dags')}</Link>}>
        {t('home.welcome.noExample')}
      </EmptyState>
    );
  }
  const start = (): void =>
    mutate({ fileName: exampleName, body: {} }, { onError: ({ message }) => toast({ message, tone: 'failed' }) });
  return (
    <EmptyState
      title={t('home.welcome.title')}
      action={
        <Button variant="primary" isPending={isPending} disabledReason={refusal} onPress={start}>
          {t('home.welcome.start')}
        </Button>
      }
    >
      {t('home.welcome.text', { name: exampleName })}
    </EmptyState>
  );
}
