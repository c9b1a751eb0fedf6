import type { ReactElement } from 'react';
import type { CalendarEntry } from './calendar-entries';
import { CalendarHour } from './calendar-hour';
import styles from './calendar.module.css';

export interface AgendaDay {
  readonly day: string;
  /** The day in words. */
  readonly name: string;
  readonly isToday: boolean;
  /** The hours with entries. */
  readonly hours: readonly { readonly hour: string; readonly entries: readonly CalendarEntry[] }[];
}

export interface CalendarAgendaProps {
  readonly label: string;
  readonly days: readonly AgendaDay[];
}

/** Days below each other, where seven columns would have no room for names. Empty hours are left out. */
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
