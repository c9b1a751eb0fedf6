import { AppError } from '@weir/foundation';
import type { Message, ToolDefinition } from '@weir/rollout-core';
import { addRequestDetails, type JsonBodyReader } from '@weir/service-kit';
import type { Request, RequestHandler } from 'express';
import type { Conversations, CountOperation } from '@weir/rollout-engine';

export interface CountRouteOptions<Session extends Conversations> {
  /** Throws `unauthenticated` or `forbidden`. */
  readonly authenticate: (req: Request) => Session;
  readonly readBody: JsonBodyReader;
  readonly count: (messages: readonly Message[], tools: readonly ToolDefinition[]) => Promise<number>;
}

/** Counts the tokens of a prompt. Samples and records nothing. */
export function createCountRoute<Session extends Conversations>(
  operation: CountOperation,
  { authenticate, readBody, count }: CountRouteOptions<Session>,
): RequestHandler {
  return async (req, res) => {
    addRequestDetails(req, { route: operation.name });
    const session = authenticate(req);
    const body = await readBody(req, res);
    if (body === undefined) {
      throw new AppError('invalid_request', 'This operation needs a JSON body.', { reason: 'body_missing' });
    }
    const { messages, tools } = operation.read(body, session);
    res.json(operation.answer(await count(messages, tools)));
  };
}
