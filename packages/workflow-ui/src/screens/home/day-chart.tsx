import { useLingui } from '@lingui/react';
import { Link } from '@tanstack/react-router';
import { Panel, StatusName, statusTones } from '@weir/ui-kit';
import { QueryPanel, useTimeFormat } from '@weir/ui-kit/app';
import type { ReactElement, ReactNode } from 'react';
import type { Schemas } from '../../api/client';
import { useLiveQuery } from '../../api/live-query';
import { useWorkspaceScope } from '../../parts/workspace/use-workspace-scope';
import { statusKindOf } from '../../api/status';
import { useAppMessages } from '../../parts/text/app-messages';
import { hoursMs, toDayHours, type DayHour } from './day-hours';
import { hourCountsSource } from './home-data';
import { useHomeMessages } from './home-messages';
import styles from './home.module.css';

/** Every sixth hour is named below the bars. */
const namedEvery = 6;

/** The runs of the last day by the hour in which they were created, in the colours of their statuses. */
export function DayChart({ lastHour }: { readonly lastHour: number }): ReactElement {
  const t = useHomeMessages();
  const scope = useWorkspaceScope();
  const query = useLiveQuery(hourCountsSource(lastHour, scope));
  return (
    <Panel title={t('home.day')}>
      <QueryPanel query={query}>
        {({ hours = [], statuses }) => (
          <>
            {statuses.length === 0 ? <p className={styles.muted}>{t('home.day.none')}</p> : null}
            <Bars hours={toDayHours(hours, lastHour, (status) => statusTones[statusKindOf(status)])} />
            <Totals statuses={statuses} />
          </>
        )}
      </QueryPanel>
    </Panel>
  );
}

function Bars({ hours }: { readonly hours: readonly DayHour[] }): ReactElement {
  const t = useHomeMessages();
  const app = useAppMessages();
  const hourName = useHourName();
  const most = Math.max(1, ...hours.map(({ total }) => total));
  const describe = ({ start, total, statuses }: DayHour): string => {
    const parts = statuses.map(({ count, statusLabel }) =>
      t('home.day.status', { count, status: app(`app.status.${statusKindOf(statusLabel)}`) }),
    );
    return t('home.day.hour', { time: hourName(start), count: total, statuses: parts.join(', ') });
  };
  return (
    <ol className={styles.hours}>
      {hours.map((hour, index) => (
        <li key={hour.start.getTime()} title={describe(hour)}>
          <HourLink hour={hour} name={describe(hour)}>
            {hour.tones.map(({ tone, count }) => (
              <span
                key={tone}
                data-tone={tone}
                className={styles.part}
                style={{ height: `${((count / most) * 100).toFixed(2)}%` }}
              />
            ))}
          </HourLink>
          <span aria-hidden className={styles.hour}>
            {index % namedEvery === namedEvery - 1 ? hourName(hour.start) : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}

interface HourLinkProps {
  readonly hour: DayHour;
  readonly name: string;
  readonly children: ReactNode;
}

/** Links to the runs of the hour, if there are any. */
function HourLink({ hour: { start, total }, name, children }: HourLinkProps): ReactElement {
  if (total === 0) {
    return (
      <>
        <span className={styles.spoken}>{name}</span>
        <span aria-hidden className={styles.bar} />
      </>
    );
  }
  const [from, to] = [start, new Date(start.getTime() + hoursMs)].map((time) => time.toISOString());
  return (
    <Link to="/runs" search={{ q: `from:${from ?? ''} to:${to ?? ''}` }} aria-label={name} className={styles.bar}>
      {children}
    </Link>
  );
}

/** The totals of all hours, which are also the legend of the colours. */
function Totals({ statuses }: { readonly statuses: readonly Schemas['DAGRunStatusCount'][] }): ReactElement {
  const t = useHomeMessages();
  const app = useAppMessages();
  return (
    <ul className={styles.totals}>
      {statuses.map(({ statusLabel, count }) => {
        const kind = statusKindOf(statusLabel);
        const name = t('home.day.status', { count, status: app(`app.status.${kind}`) });
        return (
          <li key={statusLabel}>
            <StatusName kind={kind} name={name} />
          </li>
        );
      })}
    </ul>
  );
}

function useHourName(): (time: Date) => string {
  const { i18n } = useLingui();
  const { zone } = useTimeFormat();
  const format = new Intl.DateTimeFormat(i18n.locale === 'en-XA' ? 'en' : i18n.locale, {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => format.format(time);
}
