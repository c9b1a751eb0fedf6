import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { AppError } from '@weir/foundation';
import { createJsonBodyReader, listenHttp, requestIds } from '@weir/service-kit';
import { createRecordingLogger, type RecordingLogger } from '@weir/test-kit';
import express, { type Request, type Response } from 'express';
import OpenAI from 'openai';
import {
  chatCompletions,
  completions as textCompletions,
  generateContent,
  generateContentCount,
  messages,
  messagesCount,
  parseExactJson,
  responses,
  responsesCount,
  streamGenerateContent,
  type CountOperation,
} from '@weir/rollout-engine';
import { createCountRoute } from '../count-route';
import { createModelRoute } from '../model-route';
import { createProtocolRouter, streamGenerateContentPath } from '../protocol-router';
import {
  createScriptedSession,
  createScriptedCompletions,
  type ScriptedSession,
  type ScriptedCompletions,
} from './scripted-completions';

export const sessionKey = 'the-key-of-the-session';
export const maxBodyBytes = 1024 * 1024;

/**
 * The protocols over HTTP, with scripted completions instead of a model, and the official SDKs as its clients.
 */
export interface ProtocolApp {
  readonly url: string;
  readonly completions: ScriptedCompletions;
  readonly session: ScriptedSession;
  readonly logger: RecordingLogger;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  readonly google: GoogleGenAI;
  /** Posts a string or bytes unchanged. */
  post(path: string, body: string | Uint8Array, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Opens an answer; the caller reads its body or leaves it. */
  open(path: string, body: unknown): Promise<IncomingMessage>;
  stop(): Promise<void>;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ProtocolAppOptions {
  readonly heartbeatMs?: number;
  /** Called with each request before anything else. */
  readonly watch?: (req: Request, res: Response) => void;
}

export async function startProtocolApp({ heartbeatMs = 10_000, watch }: ProtocolAppOptions = {}): Promise<ProtocolApp> {
  const logger = createRecordingLogger();
  const completions = createScriptedCompletions();
  const session = createScriptedSession();
  const readBody = createJsonBodyReader({ maxBytes: maxBodyBytes, parse: parseExactJson });
  const options = { authenticate: createGuard(session), readBody, runCompletion: completions.run, logger, heartbeatMs };
  const counting = (operation: CountOperation) => ({
    [operation.path]: createCountRoute(operation, {
      ...options,
      count: (counted, tools) => Promise.resolve(counted.length * 100 + tools.length),
    }),
  });
  const app = express();
  app.use(requestIds(), (req, res, next) => {
    watch?.(req, res);
    next();
  });
  for (const router of [
    createProtocolRouter(chatCompletions, options),
    createProtocolRouter(textCompletions, options),
    createProtocolRouter(responses, options, counting(responsesCount)),
    createProtocolRouter(messages, options, counting(messagesCount)),
    createProtocolRouter(generateContent, options, {
      [streamGenerateContentPath]: createModelRoute(streamGenerateContent, options),
      ...counting(generateContentCount),
    }),
  ]) {
    // It is registered separately: in a list of paths, Express takes "/" for itself alone.
    app.use('/v1', router);
    app.use('/v1beta', router);
    app.use(router);
  }
  const server = await listenHttp({ listener: app, host: '127.0.0.1', port: 0, drainTimeoutMs: 100 });
  const { url } = server;
  return {
    url,
    completions,
    session,
    logger,
    openai: new OpenAI({ baseURL: `${url}/v1`, apiKey: sessionKey, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: url, apiKey: sessionKey, maxRetries: 0 }),
    // Without one, the SDK looks for the dispatcher of Node's own, which the globals of a spec need not have.
    google: new GoogleGenAI({ apiKey: sessionKey, httpOptions: { baseUrl: url, fetch } }),
    post: async (path, body, headers = {}) => {
      const answer = await fetch(url + path, { method: 'POST', body, headers: { ...jsonHeaders, ...headers } });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    open: async (path, body) => {
      const sent = request(url + path, { method: 'POST', headers: jsonHeaders });
      sent.on('error', () => undefined);
      sent.end(JSON.stringify(body));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return answer;
    },
    stop: () => server.stop(),
  };
}

const jsonHeaders = { 'content-type': 'application/json', authorization: `Bearer ${sessionKey}` };

function createGuard(session: ScriptedSession) {
  return (req: Request): ScriptedSession => {
    const key = req.get('authorization')?.replace(/^bearer /i, '') ?? req.get('x-api-key') ?? req.get('x-goog-api-key');
    if (key === sessionKey) return session;
    throw new AppError('unauthenticated', 'The key is not known.', { reason: 'key_unknown' });
  };
}
