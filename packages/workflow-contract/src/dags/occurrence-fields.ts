import { z } from 'zod';

/** Describes a moment that a schedule names. */
export const occurrence = {
  time: z.iso.datetime({ offset: true }).describe('When it is due.'),
  action: z.enum(['start', 'stop', 'restart']).describe('What is due.'),
  entry: z.string().describe('The entry of the schedule, as written.'),
  timeZone: z.string().describe('The time zone in which the entry is read.'),
  localTime: z.string().describe('What clocks of the time zone show then, with their offset.'),
  clockChange: z
    .enum(['gap', 'overlap'])
    .optional()
    .describe(
      '"gap": clocks skip the named time, so it is due at the end of what they skip; "overlap": clocks show this time twice.',
    ),
};
