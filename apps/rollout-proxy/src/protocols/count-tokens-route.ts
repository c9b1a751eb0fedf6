import { AppError } from '@weir/errors';
import type { Message, ToolDefinition } from '@weir/rollout-core';
import { addRequestDetails, type JsonBodyReader } from '@weir/service-kit';
import type { Request, RequestHandler } from 'express';
import { readCount } from '@weir/rollout-engine';

export interface CountRouteOptions {
  /** Throws `unauthenticated` or `forbidden`. */
  readonly authenticate: (req: Request) => unknown;
  readonly readBody: JsonBodyReader;
  readonly count: (messages: readonly Message[], tools: readonly ToolDefinition[]) => Promise<number>;
}

export const countTokensPath = '/messages/count_tokens';

/** Counts the tokens of a prompt. Samples and records nothing. */
export function createCountRoute({ authenticate, readBody, count }: CountRouteOptions): RequestHandler {
  return async (req, res) => {
    addRequestDetails(req, { route: 'messages/count_tokens' });
    authenticate(req);
    const body = await readBody(req, res);
    if (body === undefined) {
      throw new AppError('invalid_request', 'This operation needs a JSON body.', { reason: 'body_missing' });
    }
    const { messages, tools } = readCount(body);
    res.json({ input_tokens: await count(messages, tools) });
  };
}
