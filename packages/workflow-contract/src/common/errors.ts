import { z } from 'zod';

export const ErrorCode = z
  .enum([
    'forbidden',
    'bad_request',
    'not_found',
    'internal_error',
    'unauthorized',
    'bad_gateway',
    'remote_node_error',
    'max_run_reached',
    'not_running',
    'already_exists',
    'auth.unauthorized',
    'auth.token_invalid',
    'auth.forbidden',
    'timeout',
    'rate_limited',
    'conflict',
    'payload_too_large',
  ])
  .meta({ id: 'ErrorCode', description: 'The kind of error.' });
export type ErrorCode = z.output<typeof ErrorCode>;

/** The body of every failure. */
export const ErrorResponse = z
  .object({
    code: ErrorCode,
    message: z.string().describe('A readable sentence.'),
    reason: z.string().optional().describe('A stable identifier for programs, more specific than the code.'),
    details: z.record(z.string(), z.unknown()).optional().describe('Details of the reason.'),
    dagRunId: z.string().optional().describe('The run that continues after a wait for it has timed out.'),
    itemId: z.string().optional().describe('The file that was changed on both sides.'),
    remoteCommit: z.string().optional().describe('The commit that changed it in the repository.'),
    remoteAuthor: z.string().optional().describe('The author of that commit.'),
    remoteMessage: z.string().optional().describe('The first line of its message.'),
    requestId: z.string().optional().describe('The id under which the server logged the request.'),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
export type ErrorResponse = z.output<typeof ErrorResponse>;

export const SuccessResponse = z
  .object({ message: z.string().describe('Readable description of the result.') })
  .meta({ id: 'SuccessResponse', description: 'Confirmation of an operation without other results.' });

/** Error answers that many operations share. */
export const errorAnswers = {
  unauthenticated: { description: 'The credential is missing or not valid.', reasons: ['credential_invalid'] },
  forbidden: {
    description: 'The role, or the scopes of the API key, do not permit this operation.',
    reasons: ['role_missing', 'scope_missing', 'surface_missing'],
  },
  revisionChanged: {
    description: 'The revision that If-Match names is not the current one.',
    reasons: ['revision_changed'],
  },
  parserBusy: { description: 'Too many large DAGs are waiting to be parsed.', reasons: ['parser_busy'] },
} as const;
