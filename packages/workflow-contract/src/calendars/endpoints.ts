import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { remoteNode } from '../common/parameters';
import { rolesFrom } from '../common/roles';
import {
  CalendarDaysResponse,
  calendarName,
  CalendarListResponse,
  CalendarRequest,
  CalendarResponse,
  ReadICalendarRequest,
  ReadICalendarResponse,
} from './schemas';

const tag = 'calendars';
const access = rolesFrom('manager');
const query = z.object({ remoteNode });
const params = z.object({ calendarName: calendarName.describe('Name of the calendar.') });
const { unauthenticated, forbidden, revisionChanged } = errorAnswers;
const invalid = {
  description: 'A parameter is not valid, or the node is not this one.',
  reasons: ['request_invalid', 'remote_node_unknown'],
} as const;
const notFound = { description: 'There is no such calendar.', reasons: ['calendar_not_found'] } as const;
const success = { status: 200, description: 'The calendar.', schema: CalendarResponse } as const;

export const listBusinessCalendars = endpoint({
  method: 'GET',
  path: '/calendars',
  operationId: 'listBusinessCalendars',
  tag,
  summary: 'List business calendars',
  access: 'authenticated',
  query,
  success: { status: 200, description: 'The calendars.', schema: CalendarListResponse },
  errors: { 400: invalid, 401: unauthenticated },
});

export const getBusinessCalendar = endpoint({
  method: 'GET',
  path: '/calendars/{calendarName}',
  operationId: 'getBusinessCalendar',
  tag,
  summary: 'Get a business calendar',
  access: 'authenticated',
  hasRevisions: true,
  params,
  query,
  success,
  errors: { 400: invalid, 401: unauthenticated, 404: notFound },
});

export const putBusinessCalendar = endpoint({
  method: 'PUT',
  path: '/calendars/{calendarName}',
  operationId: 'putBusinessCalendar',
  audit: { category: 'calendar', action: 'calendar_write' },
  tag,
  summary: 'Create or replace a business calendar',
  description: 'Schedules follow it from the next minute on. Needs access to all workspaces, which share calendars.',
  access,
  hasRevisions: true,
  params,
  query,
  body: CalendarRequest,
  success,
  errors: {
    400: {
      description: 'The calendar is not valid, includes an unknown one or itself, or the node is not this one.',
      reasons: [
        'request_invalid',
        'calendar_include_unknown',
        'calendar_include_circle',
        'calendar_limit',
        'remote_node_unknown',
      ],
    },
    401: unauthenticated,
    403: forbidden,
    412: revisionChanged,
  },
});

export const deleteBusinessCalendar = endpoint({
  method: 'DELETE',
  path: '/calendars/{calendarName}',
  operationId: 'deleteBusinessCalendar',
  audit: { category: 'calendar', action: 'calendar_delete' },
  tag,
  summary: 'Delete a business calendar',
  description: 'Entries of schedules that name it start nothing from then on.',
  access,
  hasRevisions: true,
  params,
  query,
  success: { status: 204, description: 'It was deleted.' },
  errors: {
    400: invalid,
    401: unauthenticated,
    403: forbidden,
    404: notFound,
    409: { description: 'Another calendar includes it.', reasons: ['calendar_in_use'] },
    412: revisionChanged,
  },
});

export const listBusinessCalendarDays = endpoint({
  method: 'GET',
  path: '/calendars/{calendarName}/days',
  operationId: 'listBusinessCalendarDays',
  tag,
  summary: 'List the days of a year on which schedules differ from an ordinary business day',
  access: 'authenticated',
  params,
  query: query.extend({
    year: z
      .string()
      .regex(/^(19|20|21)\d\d$/, 'must be a year from 1900 to 2199')
      .describe('The year.'),
  }),
  success: { status: 200, description: 'The days, those of included calendars too.', schema: CalendarDaysResponse },
  errors: { 400: invalid, 401: unauthenticated, 404: notFound },
});

export const readICalendar = endpoint({
  method: 'POST',
  path: '/calendars/import',
  operationId: 'readICalendar',
  audit: 'no-change',
  tag,
  summary: 'Read the holidays of an iCalendar file',
  description: 'Whole-day events and their repetitions become dates, which a calendar can then be given.',
  access,
  query,
  body: ReadICalendarRequest,
  success: { status: 200, description: 'The holidays.', schema: ReadICalendarResponse },
  errors: {
    400: {
      description: 'The file is not valid or has too many events, or the node is not this one.',
      reasons: ['request_invalid', 'icalendar_invalid', 'remote_node_unknown'],
    },
    401: unauthenticated,
    403: forbidden,
  },
});
