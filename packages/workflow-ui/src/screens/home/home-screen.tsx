import { Link } from '@tanstack/react-router';
import { Button, EmptyState, useToast } from '@weir/ui-kit';
import type { ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { defineMessages } from '../../app/text/define-messages';
import { QueryPanel } from '../../parts/query-panel';
import { ScreenHeader } from '../../parts/screen-header';
import { useStart } from '../../parts/start/start-data';
import { dagListSource } from '../dag-list/dag-list-data';
import { runListSource } from '../run-list/run-list-data';
import { RunTable } from '../run-list/run-table';
import messages from './messages.json';
import { StatusTiles } from './status-tiles';
import styles from './home.module.css';

const useHomeMessages = defineMessages(messages);

/** What is wrong, what runs, what comes next. */
export function HomeScreen(): ReactElement {
  const t = useHomeMessages();
  const runs = useLiveQuery(runListSource({}));
  return (
    <>
      <ScreenHeader title={t('home.title')} />
      <StatusTiles label={t('home.tiles')} more={(count) => t('home.more', { count })} />
      <section aria-labelledby="latest-runs">
        <div className={styles.head}>
          <h2 id="latest-runs">{t('home.recent')}</h2>
          <Link to="/runs">{t('home.all')}</Link>
        </div>
        <QueryPanel query={runs}>
          {({ dagRuns }) => (dagRuns.length === 0 ? <Welcome /> : <RunTable runs={dagRuns.slice(0, latest)} />)}
        </QueryPanel>
      </section>
    </>
  );
}

const latest = 10;
/** The server puts it into the folder of a new installation. */
const exampleName = 'merge-sources';

/** The first thing to do on a new server. */
function Welcome(): ReactElement {
  const t = useHomeMessages();
  const toast = useToast();
  const { mutate, isPending } = useStart();
  const dags = useLiveQuery(dagListSource({ name: exampleName }));
  const hasExample = dags.data?.dags.some(({ fileName }) => fileName === exampleName) === true;
  if (!hasExample) {
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
        <Button variant="primary" isPending={isPending} onPress={start}>
          {t('home.welcome.start')}
        </Button>
      }
    >
      {t('home.welcome.text', { name: exampleName })}
    </EmptyState>
  );
}
