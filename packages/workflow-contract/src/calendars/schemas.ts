import { z } from 'zod';

const maxDates = 5_000;
const timestamp = z.iso.datetime({ offset: true });
const date = z.iso.date();
const line = z.string().regex(/^[^\r\n\t]*$/, 'must be one line');

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const;
const weekday = z.enum(weekdays);
export type Weekday = z.output<typeof weekday>;

/** As DAGs name calendars. */
export const calendarName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "-" or "_"');

const Holiday = z
  .object({
    date: date.describe('`YYYY-MM-DD`.'),
    name: line.max(200).optional().describe('What is celebrated.'),
  })
  .meta({ id: 'Holiday', description: 'A date that is not a business day.' });
export type Holiday = z.output<typeof Holiday>;

const definition = {
  description: line.max(1000).default('').describe('What it is for.'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone, such as Europe/Berlin')
    .optional()
    .describe('Zone in which times have their date. Default: that of the entry of the schedule.'),
  weekdays: z
    .array(weekday)
    .min(1)
    .max(7)
    .default(['MON', 'TUE', 'WED', 'THU', 'FRI'])
    .describe('The business days of a week. Default: Monday to Friday.'),
  holidays: z.array(Holiday).max(maxDates).default([]).describe('Dates that are not business days.'),
  extraBusinessDays: z
    .array(date)
    .max(maxDates)
    .default([])
    .describe(
      'Dates that are business days whatever their weekday, and although they are holidays of an included one.',
    ),
  include: z.array(calendarName).max(20).default([]).describe('Calendars whose holidays are holidays here too.'),
  through: date.optional().describe('The last date for which the calendar is maintained; warnings follow after it.'),
};

export const CalendarRequest = z
  .object(definition)
  .refine(({ holidays }) => areDistinct(holidays.map((holiday) => holiday.date)), {
    message: 'must have each date once',
    path: ['holidays'],
  })
  .refine(
    ({ holidays, extraBusinessDays }) => {
      const extra = new Set(extraBusinessDays);
      return !holidays.some((holiday) => extra.has(holiday.date));
    },
    { message: 'must not have a date of holidays', path: ['extraBusinessDays'] },
  )
  .meta({ id: 'CalendarRequest', description: 'The whole content of a calendar.' });
export type CalendarRequest = z.output<typeof CalendarRequest>;

export const CalendarResponse = z
  .object({
    name: z.string().describe('Name by which schedules name it.'),
    ...definition,
    endsAt: date.optional().describe('The earliest `through` of the calendar and of all that it includes.'),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was changed last.'),
    updatedBy: z.string().describe('Id of who changed it last.'),
  })
  .meta({ id: 'CalendarResponse', description: 'The business days of an organisation.' });
export type CalendarResponse = z.output<typeof CalendarResponse>;

export const CalendarListResponse = z
  .object({
    calendars: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the calendar.'),
            description: z.string().describe('What it is for.'),
            holidays: z.int().min(0).describe('How many holidays it has, without those of included calendars.'),
            include: z.array(z.string()).describe('Calendars whose holidays are holidays here too.'),
            endsAt: date.optional().describe('The last date for which it is maintained, as `endsAt` of the calendar.'),
            updatedAt: timestamp.describe('When it was changed last.'),
          })
          .meta({ id: 'CalendarSummary', description: 'A calendar without its dates.' }),
      )
      .describe('By name.'),
  })
  .meta({ id: 'CalendarListResponse', description: 'Calendars.' });

export const CalendarDaysResponse = z
  .object({
    days: z
      .array(
        z
          .object({
            date: date.describe('`YYYY-MM-DD`.'),
            kind: z
              .enum(['holiday', 'extra', 'weekend'])
              .describe('A holiday, an extra business day, or a weekday on which nobody works.'),
            name: z.string().optional().describe('Name of the holiday.'),
          })
          .meta({ id: 'CalendarDay', description: 'A day that differs from an ordinary business day.' }),
      )
      .describe('By date.'),
  })
  .meta({ id: 'CalendarDaysResponse', description: 'The days of a year that are no ordinary business days.' });

/** Bytes of an iCalendar file. */
export const maxICalendarBytes = 512_000;

export const ReadICalendarRequest = z
  .object({
    text: z.string().min(1).max(maxICalendarBytes).describe('The content of an iCalendar file (RFC 5545).'),
    from: date.describe('First date of holidays.'),
    to: date.describe('Last date of holidays, at most 20 years later.'),
  })
  .refine(({ from, to }) => from <= to && Number(to.slice(0, 4)) - Number(from.slice(0, 4)) <= 20, {
    message: 'must not be before "from", nor more than 20 years later',
    path: ['to'],
  })
  .meta({ id: 'ReadICalendarRequest', description: 'An iCalendar file, and the dates that are wanted of it.' });
export type ReadICalendarRequest = z.output<typeof ReadICalendarRequest>;

export const ReadICalendarResponse = z
  .object({
    holidays: z.array(Holiday).describe('The dates of whole-day events, by date.'),
    ignored: z.int().min(0).describe('How many events have a time of day, or are cancelled.'),
  })
  .meta({ id: 'ReadICalendarResponse', description: 'Holidays of an iCalendar file.' });
export type ReadICalendarResponse = z.output<typeof ReadICalendarResponse>;

function areDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    // Constructing a formatter is the only way to test a zone: it throws for an unknown one.
    return false;
  }
}
