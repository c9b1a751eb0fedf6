import { Link, useParams, useSearch } from '@tanstack/react-router';
import { EmptyState } from '@weir/ui-kit';
import { QueryPanel, statusOf } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useLiveQuery } from '../../api/live-query';
import { runKey, type RunAddress } from '../../parts/run/run-address';
import { runSource } from '../../parts/run/run-data';
import { useRunMessages } from '../../parts/run/run-messages';
import { RunPage } from './run-page';

/** A run, or a child run in its place. */
export function RunScreen(): ReactElement {
  const { name, runId } = useParams({ from: '/dag-runs/$name/$runId' });
  const { sub } = useSearch({ from: '/dag-runs/$name/$runId' });
  const address = { name, runId, sub };
  // Nothing of another run is kept.
  return <LoadedRun key={runKey(address)} address={address} />;
}

function LoadedRun({ address }: { readonly address: RunAddress }): ReactElement {
  const t = useRunMessages();
  const query = useLiveQuery(runSource(address));
  if (statusOf(query.error) === 404) {
    return (
      <EmptyState
        level={1}
        title={t('run.notFound.title')}
        action={
          <Link to="/runs" search={{ name: address.name }}>
            {t('run.notFound.action', { name: address.name })}
          </Link>
        }
      >
        {t('run.notFound.text')}
      </EmptyState>
    );
  }
  return (
    <QueryPanel query={query}>
      {({ dagRunDetails: run }) => (
        // The address of the page may say "latest", but actions are for this run.
        <RunPage address={{ ...address, runId: run.rootDAGRunId }} run={run} version={query.dataUpdatedAt} />
      )}
    </QueryPanel>
  );
}
