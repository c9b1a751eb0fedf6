import { useQuery } from '@tanstack/react-query';
import { Button, Facts, Panel, StatusName } from '@weir/ui-kit';
import { formatDuration, QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { Download } from 'lucide-react';
import type { ReactElement } from 'react';
import { apiAddress } from '../../api/api-address';
import { api, type Schemas } from '../../api/client';
import { healthQuery, readHealth } from '../../api/health';
import { Age } from '../../parts/age';
import { ScreenHeader } from '../../parts/screen-header';
import { useAction } from '../../parts/use-action';
import { useRefusal } from '../../parts/use-refusal';
import { Resources } from './resources';
import { useStatusMessages } from './status-messages';
import { saveFile } from '../../parts/save-file';

/** The state of the server: health, versions, scheduler, resources. */
export function StatusScreen(): ReactElement {
  const t = useStatusMessages();
  const refusal = useRefusal('getResourceHistory');
  const bundle = useAction({ run: downloadSupportBundle, changes: [] });
  const health = useQuery(healthQuery);
  return (
    <>
      <ScreenHeader title={t('status.title')}>
        <Button disabledReason={refusal} isPending={bundle.isPending} onPress={() => bundle.mutate()}>
          <Download aria-hidden size={16} />
          {t('status.bundle')}
        </Button>
      </ScreenHeader>
      <Panel title={t('status.server')}>
        <QueryPanel query={health}>{(data) => <ServerFacts health={data} />}</QueryPanel>
      </Panel>
      <Panel title={t('status.scheduler')}>
        <Schedulers />
      </Panel>
      <Panel title={t('status.resources')}>
        <Resources />
      </Panel>
    </>
  );
}

function ServerFacts({ health }: { readonly health: Schemas['HealthResponse'] }): ReactElement {
  const t = useStatusMessages();
  const { status, reason, version, uptime, roles = [], stepIsolation = 'none' } = health;
  const isHealthy = status === 'healthy';
  const facts = [
    {
      name: t('status.health'),
      value: (
        <>
          <StatusName
            kind={isHealthy ? 'succeeded' : 'failed'}
            name={t(isHealthy ? 'status.healthy' : 'status.unhealthy')}
          />{' '}
          {reason === undefined ? null : t(`status.reason.${reason}`)}
        </>
      ),
    },
    { name: t('status.version'), value: version },
    { name: t('status.uptime'), value: formatDuration(uptime * 1000) },
    { name: t('status.roles'), value: roles.map((role) => t(`status.roles.${role}`)).join(', ') },
    { name: t('status.isolation'), value: t(`status.isolation.${stepIsolation}`) },
    ...(reason === 'database_unreachable' ? [] : [{ name: t('status.database'), value: t('status.database.ok') }]),
    {
      name: t('status.links'),
      value: (
        <>
          <a href={`${apiAddress}/metrics`}>{t('status.metrics')}</a>
          {', '}
          <a href={`${apiAddress}/openapi.json`}>{t('status.openapi')}</a>
        </>
      ),
    },
  ];
  return <Facts facts={facts} />;
}

function Schedulers(): ReactElement {
  const t = useStatusMessages();
  const query = useQuery<Schemas['SchedulerStatusResponse'], Failure>({
    queryKey: ['schedulers'],
    queryFn: ({ signal }) => unwrap(api.GET('/services/scheduler', { signal })),
  });
  return (
    <QueryPanel query={query}>
      {({ schedulers }) =>
        schedulers.length === 0 ? (
          <p>{t('status.scheduler.none')}</p>
        ) : (
          <ul>
            {schedulers.map(({ instanceId, host, status, startedAt }) => (
              <li key={instanceId}>
                <StatusName
                  kind={status === 'active' ? 'succeeded' : 'not_started'}
                  name={t(`status.scheduler.${status}`)}
                />{' '}
                {t('status.scheduler.since', { host })} {startedAt === '' ? null : <Age value={startedAt} />}
              </li>
            ))}
          </ul>
        )
      }
    </QueryPanel>
  );
}

/** Reads the facts about the server for people who help with it. None of these answers has secrets or logs in it. */
async function readSupportBundle() {
  const [health, schedulers, workers, queues, resources, counts, metrics] = await Promise.all([
    readHealth(),
    unwrap(api.GET('/services/scheduler')),
    unwrap(api.GET('/workers')),
    unwrap(api.GET('/queues')),
    unwrap(api.GET('/services/resources/history', { params: { query: { duration: '24h' } } })),
    unwrap(api.GET('/run-counts')),
    unwrap(api.GET('/metrics', { parseAs: 'text' })),
  ]);
  return { takenAt: new Date().toISOString(), health, schedulers, workers, queues, resources, counts, metrics };
}

/** Saves the bundle as a file. */
async function downloadSupportBundle(): Promise<void> {
  const bundle = await readSupportBundle();
  const file = new Blob([JSON.stringify(bundle, null, 2)], { type: 'application/json' });
  saveFile(file, `weir-support-${bundle.takenAt.replaceAll(':', '-')}.json`);
}
