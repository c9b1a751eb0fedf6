import { z } from 'zod';

const Session = z
  .object({
    id: z.string().describe('Id of the session.'),
    createdAt: z.iso.datetime({ offset: true }).describe('When the user signed in.'),
    lastUsedAt: z.iso.datetime({ offset: true }).describe('When it was used last, to the minute.'),
    expiresAt: z.iso.datetime({ offset: true }).describe('When it ends.'),
    userAgent: z.string().describe('The browser, as it names itself.'),
    address: z.string().describe('Address from which the user signed in.'),
    isCurrent: z.boolean().describe('Whether this request belongs to it.'),
  })
  .meta({ id: 'Session', description: 'A browser in which a user is signed in.' });
export type Session = z.output<typeof Session>;

export const SessionsResponse = z
  .object({ sessions: z.array(Session).describe('Newest first.') })
  .meta({ id: 'SessionsResponse', description: 'The sessions of a user.' });
