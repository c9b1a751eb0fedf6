import { useQuery } from '@tanstack/react-query';
import { Button, CheckField, TextAreaField, TextField, useToast } from '@weir/ui-kit';
import { unwrap } from '@weir/ui-kit/app';
import { useRef, useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useBusinessCalendarsMessages } from './business-calendars-messages';
import { formatHolidays, mergeHolidays, parseHolidays, parseWords } from './calendar-text';
import styles from './business-calendars.module.css';

type Definition = Schemas['CalendarRequest'];

const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
/** 2024-01-01 is a Monday. */
const weekdayName = (index: number): string =>
  new Date(Date.UTC(2024, 0, 1 + index)).toLocaleDateString(undefined, { weekday: 'short', timeZone: 'UTC' });

export interface EditCalendarProps {
  /** Missing for a new one. */
  readonly name: string | undefined;
  readonly onClose: () => void;
}

/** Reads a calendar before its form is shown. */
export function EditCalendar({ name, onClose }: EditCalendarProps): ReactElement | null {
  const { data } = useQuery({
    queryKey: ['business-calendar', name],
    enabled: name !== undefined,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/calendars/{calendarName}', { params: { path: { calendarName: name ?? '' } }, signal })),
  });
  if (name !== undefined && data === undefined) return null;
  return <CalendarForm {...{ name, onClose }} before={data ?? {}} />;
}

interface CalendarFormProps extends EditCalendarProps {
  readonly before: Definition;
}

function CalendarForm({ name: given, before, onClose }: CalendarFormProps): ReactElement {
  const t = useBusinessCalendarsMessages();
  const [name, setName] = useState(given ?? '');
  const [description, setDescription] = useState(before.description ?? '');
  const [days, setDays] = useState<ReadonlySet<string>>(new Set(before.weekdays ?? weekdays.slice(0, 5)));
  const [holidays, setHolidays] = useState(formatHolidays(before.holidays ?? []));
  const [extra, setExtra] = useState((before.extraBusinessDays ?? []).join(' '));
  const [include, setInclude] = useState((before.include ?? []).join(' '));
  const [timeZone, setTimeZone] = useState(before.timeZone ?? '');
  const [through, setThrough] = useState(before.through ?? '');
  const read = parseHolidays(holidays);
  const problem = 'badLine' in read ? t('calendars.badLine', { line: read.badLine }) : undefined;
  const action = useAction({
    run: (): Promise<unknown> => {
      const body: Definition = {
        description,
        weekdays: weekdays.filter((day) => days.has(day)),
        holidays: 'badLine' in read ? [] : [...read.holidays],
        extraBusinessDays: parseWords(extra),
        include: parseWords(include),
        ...(timeZone === '' ? {} : { timeZone }),
        ...(through === '' ? {} : { through }),
      };
      return unwrap(api.PUT('/calendars/{calendarName}', { params: { path: { calendarName: name } }, body }));
    },
    done: () => t(given === undefined ? 'calendars.added' : 'calendars.saved', { name }),
    changes: ['business-calendars', 'business-calendar'],
    onDone: onClose,
    saysFailure: false,
  });
  return (
    <EditDialog
      title={given === undefined ? t('calendars.add') : t('calendars.edit.title', { name: given })}
      submitLabel={t(given === undefined ? 'calendars.add' : 'calendars.save')}
      action={{ ...action, mutate: () => (problem === undefined ? action.mutate() : undefined) }}
      onClose={onClose}
    >
      {given === undefined ? (
        <TextField
          label={t('calendars.name')}
          description={t('calendars.nameHint', { name: name === '' ? '…' : name })}
          isRequired
          autoFocus
          value={name}
          onChange={setName}
        />
      ) : null}
      <TextField label={t('calendars.description')} value={description} onChange={setDescription} />
      <fieldset className={styles.weekdays}>
        <legend>{t('calendars.weekdays')}</legend>
        {weekdays.map((day, index) => (
          <CheckField
            key={day}
            label={weekdayName(index)}
            isSelected={days.has(day)}
            onChange={(isOn) => setDays(new Set(isOn ? [...days, day] : [...days].filter((each) => each !== day)))}
          />
        ))}
      </fieldset>
      <TextAreaField
        label={t('calendars.holidays')}
        description={t('calendars.holidaysHint')}
        isMonospaced
        rows={8}
        value={holidays}
        onChange={setHolidays}
        error={problem}
        validationBehavior="aria"
      />
      <ImportButton
        onRead={(found) => setHolidays(formatHolidays(mergeHolidays('badLine' in read ? [] : read.holidays, found)))}
        isDisabled={problem !== undefined}
      />
      <TextField
        label={t('calendars.extra')}
        description={t('calendars.extraHint')}
        value={extra}
        onChange={setExtra}
      />
      <TextField
        label={t('calendars.include')}
        description={t('calendars.includeHint')}
        value={include}
        onChange={setInclude}
      />
      <TextField
        label={t('calendars.through')}
        description={t('calendars.throughHint')}
        value={through}
        onChange={setThrough}
      />
      <TextField
        label={t('calendars.timeZone')}
        description={t('calendars.timeZoneHint')}
        value={timeZone}
        onChange={setTimeZone}
      />
    </EditDialog>
  );
}

interface ImportButtonProps {
  readonly onRead: (holidays: NonNullable<Definition['holidays']>) => void;
  readonly isDisabled: boolean;
}

const years = 5;

/** Adds the holidays of an iCalendar file for this year and the next ones; nothing is stored yet. */
function ImportButton({ onRead, isDisabled }: ImportButtonProps): ReactElement {
  const t = useBusinessCalendarsMessages();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = useAction({
    run: async (file: File) => {
      const year = new Date().getUTCFullYear();
      const body = { text: await file.text(), from: `${year}-01-01`, to: `${year + years}-12-31` };
      return unwrap(api.POST('/calendars/import', { body }));
    },
    changes: [],
    onDone: ({ holidays, ignored }) => {
      onRead(holidays);
      toast({ message: t('calendars.imported', { count: holidays.length, ignored }) });
    },
  });
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept=".ics,text/calendar"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) mutate(file);
          target.value = '';
        }}
      />
      <Button isPending={isPending} isDisabled={isDisabled} onPress={() => input.current?.click()}>
        {t('calendars.import')}
      </Button>
    </div>
  );
}
