import { createRecordingLogger, temporaryFolder, type RecordingLogger } from '@weir/test-kit';
import { startService } from '@weir/service-kit';
import { collectPathIds, type InteractionDraft, type TopTokens } from '@weir/rollout-core';
import { Router } from 'express';
import type { Clock } from '../../clock';
import { startServer } from '../../composition';
import { loadConfig } from '../../config';
import type { ModelServing, ServingContext, SetUpServing } from '../../serving';
import type { Session } from '../../session';
import type { EngineGate } from '../system';

export const adminKey = 'an-admin-key-for-specs';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export interface TestProxy {
  readonly url: string;
  readonly logger: RecordingLogger;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Grants and starts; the key and id of the session. */
  start(taskId?: string): Promise<{ readonly id: string; readonly key: string }>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  /** Default: the admin key. `null` for none. */
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

let calls = 0;

/** The first token is the likeliest at its position; the second one is not among the likeliest. */
function echoTop(count: number): TopTokens {
  const entries = Array.from({ length: 2 * count }, (_, entry) => entry);
  return {
    count,
    ids: Int32Array.from(entries, (entry) => (entry === 0 ? 4 : 20 + (entry % count))),
    logprobs: Float32Array.from(entries, (entry) => -0.5 - (entry % count)),
  };
}

/**
 * Commits one interaction of three prompt and two sampled tokens, with the messages of the body; no tokens are made.
 * Records the likeliest tokens that the start of the session asked for.
 */
export const serveEcho: SetUpServing = ({ authenticate, readBody, initialWeights }) => {
  const chatCompletions = Router();
  const engine: EngineGate & { version: number; isPaused: boolean } = {
    pause: () => void (engine.isPaused = true),
    resume: () => void (engine.isPaused = false),
    isPaused: false,
    running: 0,
    waitUntilDrained: () => Promise.resolve(),
    version: initialWeights.version,
    setVersion: (version) => void (engine.version = version),
    endThoseWith: () => undefined,
  };
  chatCompletions.post('/chat/completions', async (req, res) => {
    const session = authenticate(req);
    const body = (await readBody(req, res)) as {
      messages: { role: 'user'; content: string }[];
      model?: string;
      hold?: boolean;
    };
    const topCount = session.recording?.topLogprobs ?? 0;
    const completion = session.startCompletion();
    try {
      if (body.hold === true) {
        await new Promise<void>((resolve) =>
          completion.signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        throw completion.signal.reason as Error;
      }
      const { parent, newMessages } = session.cache.attach({ messages: body.messages, contextKey: '' });
      calls += 1;
      const at = new Date();
      const inherited = parent === undefined ? [] : collectPathIds(parent);
      const draft: InteractionDraft = {
        id: `chatcmpl-${calls}`,
        parent,
        newMessages,
        output: { role: 'assistant', content: `answer ${calls}` },
        contextKey: '',
        contextIds: Int32Array.of(1, 2, 3),
        inheritedTokens: parent?.pathTokens ?? 0,
        sampled: {
          ids: Int32Array.of(4, calls),
          logprobs: Float32Array.of(-0.5, -0.25),
          versions: Int32Array.of(engine.version, engine.version),
          ...(topCount > 0 && { top: echoTop(topCount) }),
        },
        finishReason: 'stop',
        protocol: 'chat-completions',
        model: body.model ?? 'echo',
        createdAt: at,
        completedAt: at,
        usage: { promptTokens: 3, cachedTokens: inherited.length, completionTokens: 2, reasoningTokens: 0 },
        continuity: { kind: parent === undefined ? 'root' : 'continued' },
      };
      const { id } = await completion.commit(draft, Int32Array.of(...inherited, 1, 2, 3));
      res.json({ id, choices: [{ message: { role: 'assistant', content: `answer ${calls}` } }] });
    } finally {
      completion.close();
    }
  });
  return Promise.resolve({
    models: {
      chatCompletions,
      completions: Router(),
      responses: Router(),
      messages: Router(),
      generateContent: Router(),
    },
    engine,
    // It has no template, so there is nothing to compare.
    checkDrift: () =>
      Promise.resolve({ template: 0, retokenised: 0, other: 0, paths: 0, differing: 0, skipped: calls }),
    scorers: new Map(),
    // Letters, and a control token.
    tokenTable: {
      tokenBytes: (id) => Buffer.from(id === 3 ? '<end>' : String.fromCharCode(96 + id)),
      isControl: (id) => id === 3,
    },
    modelName: 'echo',
    notReady: () => (engine.isPaused ? 'Generation is held.' : undefined),
  });
};

export interface TestProxyOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** The proxy does not remove a folder that a spec gives. */
  readonly dataFolder?: string;
  /** Called with the session of each model call. */
  readonly onCall?: (session: Session) => void;
  /** Replaces parts of what serves model calls. */
  readonly serving?: (context: ServingContext) => Partial<ModelServing>;
}

/** The whole service on a free port of the loopback address, without a model. */
export async function startTestProxy({
  env = {},
  clock,
  dataFolder,
  onCall,
  serving,
}: TestProxyOptions = {}): Promise<TestProxy> {
  const logger = createRecordingLogger();
  const folder = dataFolder === undefined ? temporaryFolder() : undefined;
  const config = loadConfig(
    {
      ROLLOUT_PORT: '0',
      ROLLOUT_ADMIN_KEY: adminKey,
      ROLLOUT_DATA_DIR: dataFolder ?? folder?.path ?? '',
      ROLLOUT_END_WAIT_SECONDS: '0',
      ...env,
    },
    { userHome: '/nowhere', workingDirectory: '/nowhere' },
  );
  let url = '';
  const service = await startService({
    logger,
    start: async (add) => {
      const setUpServing: SetUpServing = async (context) => {
        const authenticate: typeof context.authenticate = (req) => {
          const session = context.authenticate(req);
          onCall?.(session);
          return session;
        };
        return { ...(await serveEcho({ ...context, authenticate })), ...serving?.(context) };
      };
      const options = { config, setUpServing, logger, ...(clock && { clock }) };
      ({ url } = (await startServer(options, add)).http);
    },
  });
  const call: TestProxy['call'] = async (path, options = {}) => {
    const { method = 'POST', key = adminKey, body, headers = {}, signal } = options;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed = (isJson ? JSON.parse(text) : { text }) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body: parsed };
  };
  return {
    url,
    logger,
    call,
    start: async (taskId = 'task') => {
      await call('/grant_capacity');
      const { body } = await call('/rl/start_session', { body: { task_id: taskId } });
      return { id: String(body.session_id), key: String(body.session_api_key) };
    },
    stop: async () => {
      await service.stop();
      await folder?.remove();
    },
  };
}
