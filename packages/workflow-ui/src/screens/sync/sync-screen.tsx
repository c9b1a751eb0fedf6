import { useQuery } from '@tanstack/react-query';
import { Button, EmptyState } from '@weir/ui-kit';
import { QueryPanel, unwrap } from '@weir/ui-kit/app';
import { ArrowDownToLine, ArrowUpFromLine, GitBranch } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { changedBySync, syncStatusQuery } from './sync-data';
import { SyncDialog, type SyncLayer } from './sync-dialogs';
import { useSyncMessages } from './sync-messages';
import { SyncTable } from './sync-table';
import styles from '../../parts/screen-body.module.css';
import own from './sync.module.css';

type Status = Schemas['SyncStatusResponse'];

/** The files of DAGs and documents compared with the repository, with their actions. */
export function SyncScreen(): ReactElement {
  const t = useSyncMessages();
  const query = useQuery(syncStatusQuery);
  const [layer, setLayer] = useState<SyncLayer | undefined>();
  const refusal = useRefusal('updateSyncConfig');
  const { data } = query;
  const settings = (
    <Button disabledReason={refusal} onPress={() => setLayer({ kind: 'settings' })}>
      {t('sync.settings')}
    </Button>
  );
  const note = data?.enabled === true ? { branch: data.branch ?? '', repository: data.repository ?? '' } : undefined;
  return (
    <>
      <ScreenHeader title={t('sync.title')} note={note && t('sync.note', note)}>
        {data?.enabled === true ? (
          <>
            {settings}
            <SyncButtons status={data} />
          </>
        ) : null}
      </ScreenHeader>
      <QueryPanel query={query}>
        {(status) => <SyncBody status={status} settings={settings} onLayer={setLayer} />}
      </QueryPanel>
      {layer === undefined ? null : <SyncDialog layer={layer} onClose={() => setLayer(undefined)} />}
    </>
  );
}

interface SyncBodyProps {
  readonly status: Status;
  readonly settings: ReactElement;
  readonly onLayer: (layer: SyncLayer) => void;
}

function SyncBody({ status, settings, onLayer }: SyncBodyProps): ReactElement {
  const t = useSyncMessages();
  const icon = <GitBranch aria-hidden size={32} />;
  if (!status.enabled) {
    return (
      <EmptyState title={t('sync.off.title')} icon={icon} action={settings}>
        {t('sync.off.text')}
      </EmptyState>
    );
  }
  return (
    <>
      {status.lastError === undefined ? null : (
        <p role="alert" className={styles.unknown}>
          {t('sync.failed', { error: status.lastError })}
        </p>
      )}
      {status.items.length === 0 ? (
        <EmptyState title={t('sync.empty.title')} icon={icon}>
          {t('sync.empty.text')}
        </EmptyState>
      ) : (
        <SyncTable items={status.items} onLayer={onLayer} />
      )}
      {status.lastSyncAt === undefined ? null : (
        <p className={own.lastSync}>
          {t('sync.lastSync')} <Age value={status.lastSyncAt} />
        </p>
      )}
    </>
  );
}

function SyncButtons({ status: { incoming, counts } }: { readonly status: Status }): ReactElement {
  const t = useSyncMessages();
  const refusal = useRefusal('syncPull');
  const done = (_: unknown, { message = '' }: Schemas['SyncResultResponse']) => message;
  const pull = useAction({ run: () => unwrap(api.POST('/sync/pull')), done, changes: changedBySync });
  const publish = useAction({
    run: () => unwrap(api.POST('/sync/publish-all', { body: {} })),
    done,
    changes: changedBySync,
  });
  const isChanged = counts.modified + counts.untracked > 0;
  return (
    <>
      <Button disabledReason={refusal} isPending={pull.isPending} onPress={() => pull.mutate()}>
        <ArrowDownToLine aria-hidden size={16} />
        {incoming === 0 ? t('sync.pull') : t('sync.pull.incoming', { count: incoming })}
      </Button>
      {isChanged ? (
        <Button
          variant="primary"
          disabledReason={refusal}
          isPending={publish.isPending}
          onPress={() => publish.mutate()}
        >
          <ArrowUpFromLine aria-hidden size={16} />
          {t('sync.publishAll')}
        </Button>
      ) : null}
    </>
  );
}
