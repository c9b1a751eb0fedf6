import { Link } from '@tanstack/react-router';
import { useTimeFormat } from '@weir/ui-kit/app';
import { CalendarClock } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { RunStatus } from '../../parts/run-status';
import type { CalendarEntry } from './calendar-entries';
import { useCalendarMessages } from './calendar-messages';
import styles from './calendar.module.css';

const shownEntries = 4;

/** The entries within an hour; only the first of many. */
export function CalendarHour({ entries }: { readonly entries: readonly CalendarEntry[] }): ReactElement | null {
  const t = useCalendarMessages();
  const [isWhole, setIsWhole] = useState(false);
  if (entries.length === 0) return null;
  const hidden = entries.length - shownEntries;
  return (
    <>
      <ul className={styles.entries}>
        {entries.slice(0, isWhole ? undefined : shownEntries).map((entry) => (
          <li key={entry.key}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
      {hidden > 0 ? (
        <button type="button" aria-expanded={isWhole} className={styles.more} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('calendar.less') : t('calendar.more', { count: hidden })}
        </button>
      ) : null}
    </>
  );
}

function Entry({ entry }: { readonly entry: CalendarEntry }): ReactElement {
  const { name, what, count } = entry;
  if (what.kind === 'due') {
    return (
      <Link
        to="/dags/$fileName"
        params={{ fileName: what.fileName }}
        search={{ tab: 'schedule' }}
        className={styles.due}
        data-suspended={what.isSuspended}
      >
        <EntryText entry={entry} />
      </Link>
    );
  }
  return count === 1 ? (
    <Link to="/dag-runs/$name/$runId" params={{ name, runId: what.dagRunId }} className={styles.run}>
      <EntryText entry={entry} />
    </Link>
  ) : (
    <Link to="/runs" search={{ name }} className={styles.run}>
      <EntryText entry={entry} />
    </Link>
  );
}

function EntryText({ entry: { name, count, time, what } }: { readonly entry: CalendarEntry }): ReactElement {
  const t = useCalendarMessages();
  const { full } = useTimeFormat();
  const note = what.kind === 'run' ? undefined : t(what.isSuspended ? 'calendar.off' : 'calendar.due');
  return (
    <>
      {what.kind === 'run' ? (
        <RunStatus status={what.status} isShort />
      ) : (
        <CalendarClock aria-hidden size={14} className={styles.icon} />
      )}
      <span className={styles.name} title={`${name}, ${full(time)}${note === undefined ? '' : `, ${note}`}`}>
        {name}
      </span>
      {note === undefined ? null : <span className={styles.spoken}>{note}</span>}
      {count === 1 ? null : <span className={styles.count}>×{count}</span>}
    </>
  );
}
