import { z } from 'zod';

export const ErrorCode = z
  .enum([
    'invalid_request',
    'unauthenticated',
    'forbidden',
    'not_found',
    'method_not_allowed',
    'conflict',
    'gone',
    'precondition_failed',
    'payload_too_large',
    'rate_limited',
    'wait_timeout',
    'not_implemented',
    'upstream_failed',
    'upstream_timeout',
    'unavailable',
    'internal',
  ])
  .meta({ id: 'ErrorCode', description: 'The kind of failure.' });
export type ErrorCode = z.output<typeof ErrorCode>;

/** The body of every failure of a control operation. Clients of FastAPI services expect the text in `detail`. */
export const ErrorResponse = z
  .object({
    detail: z.string().describe('A readable sentence.'),
    message: z.string().describe('The same text as the message.'),
    code: ErrorCode,
    reason: z.string().optional().describe('A stable identifier for programs, more specific than the code.'),
    details: z.record(z.string(), z.unknown()).optional().describe('Details of the reason.'),
    requestId: z.string().optional().describe('The id under which the server logged the request.'),
  })
  .meta({ id: 'Error', description: 'The body of every error response.' });
export type ErrorResponse = z.output<typeof ErrorResponse>;

export const errorAnswers = {
  invalid: { description: 'The request is not valid.', reasons: ['request_invalid'] },
  unauthenticated: { description: 'No key, or an unknown key.', reasons: ['key_missing', 'key_unknown'] },
  forbidden: { description: 'The key is of the wrong kind.', reasons: ['key_kind_wrong'] },
  sessionUnknown: { description: 'There is no such session.', reasons: ['session_not_found'] },
} as const;

/** Of an operation that takes parameters and needs a key of some kinds. */
export const refusals = {
  400: errorAnswers.invalid,
  401: errorAnswers.unauthenticated,
  403: errorAnswers.forbidden,
} as const;

/** Of one that is about a session. */
export const sessionRefusals = { ...refusals, 404: errorAnswers.sessionUnknown } as const;
