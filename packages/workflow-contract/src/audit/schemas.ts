import { z } from 'zod';

const optionalText = (description: string) => z.string().optional().describe(description);

export const AuditEntry = z
  .object({
    id: z.string().describe('Id of the entry.'),
    timestamp: z.iso.datetime({ offset: true }).describe('When the change was made.'),
    category: z.string().describe('The kind of thing that was changed, such as "user" or "dag".'),
    action: z.string().describe('What was done, such as "user_create".'),
    result: z.enum(['success', 'failure']).describe('Failures are recorded for sign-ins, passwords and webhooks.'),
    userId: z.string().describe('Id of the caller: a user, "apikey:" and the id of a key, or empty.'),
    username: z.string().describe('Name of the caller; of a sign-in that failed, the name that was tried.'),
    credentialType: z
      .string()
      .describe('"token", "session", "api-key", "local" (a command on the machine), "open-access" or "anonymous".'),
    credentialId: optionalText('Id of the session or API key.'),
    ipAddress: optionalText('Address of the caller. Absent for a command on the machine.'),
    resourceType: optionalText('What the path names first, such as "userId".'),
    resourceId: optionalText('Its value.'),
    workspace: optionalText('The workspace of what was changed, where it is known.'),
    correlationId: optionalText('The id under which the server logged the request.'),
    details: optionalText(
      'JSON: the path parameters, the names of the fields that were sent, and what was changed, "before" and "after". Never a secret.',
    ),
    position: z.int().describe('Its number in the chain, from 1 without gaps.'),
    previousHash: z.string().describe('The hash of the entry before it; 64 zeros for the first.'),
    hash: z.string().describe('SHA-256 of the previous hash and of all other fields, as lower-case hex.'),
  })
  .meta({ id: 'AuditEntry', description: 'A change or a sign-in.' });
export type AuditEntry = z.output<typeof AuditEntry>;

export const AuditLogsResponse = z
  .object({
    entries: z.array(AuditEntry).describe('Newest first.'),
    total: z.int().describe('How many entries match, on all pages.'),
  })
  .meta({ id: 'AuditLogsResponse', description: 'A page of the audit log.' });

const AuditProblem = z
  .object({
    position: z.int().describe('Where the chain breaks.'),
    kind: z.enum(['changed', 'removed', 'inserted']).describe('What happened to the entry.'),
    message: z.string().describe('The same for people.'),
  })
  .meta({ id: 'AuditProblem', description: 'Where the chain of the audit log breaks.' });
export type AuditProblem = z.output<typeof AuditProblem>;

export const AuditVerification = z
  .object({
    valid: z.boolean().describe('Whether every entry is as it was written, and none is missing.'),
    entries: z.int().describe('How many entries were checked.'),
    firstPosition: z.int().describe('Position of the oldest entry that is retained; 0 without any.'),
    lastPosition: z.int().describe('Position of the newest entry; 0 without any.'),
    lastHash: z
      .string()
      .describe('Hash of the newest entry. Kept elsewhere, it shows later that nothing was rewritten.'),
    problem: AuditProblem.optional(),
  })
  .meta({ id: 'AuditVerification', description: 'What a check of the audit log found.' });
export type AuditVerification = z.output<typeof AuditVerification>;
