import type { ReactElement } from 'react';
import type { CalendarEntry } from './calendar-entries';
import { CalendarHour } from './calendar-hour';
import styles from './calendar.module.css';

export interface AgendaDay {
  readonly day: string;
  /** In words. */
  readonly name: string;
  readonly isToday: boolean;
  /** Those in which something runs. */
  readonly hours: readonly { readonly hour: string; readonly entries: readonly CalendarEntry[] }[];
}

export interface CalendarAgendaProps {
  readonly label: string;
  readonly days: readonly AgendaDay[];
}

/** One day below the other, where seven columns would have no room for names. What is empty is left out. */
export function CalendarAgenda({ label, days }: CalendarAgendaProps): ReactElement {
  return (
    <section aria-label={label} className={styles.agenda}>
      {days.map(({ day, name, isToday, hours }) =>
        hours.length === 0 ? null : (
          <div key={day}>
            <h2 aria-current={isToday ? 'date' : undefined}>{name}</h2>
            {hours.map(({ hour, entries }) => (
              <div key={hour} className={styles.agendaHour}>
                <h3>{hour}</h3>
                <div>
                  <CalendarHour entries={entries} />
                </div>
              </div>
            ))}
          </div>
        ),
      )}
    </section>
  );
}
