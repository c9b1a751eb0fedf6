import { AppError } from '@weir/foundation';
import { createInteractionCache } from '@weir/rollout-core';
import type { CompletionEvent, CompletionRequest } from '@weir/rollout-engine';
import {
  createManualClock,
  createRecordingLogger,
  startTraceCollector,
  type TestTraceCollector,
  type TraceCollectorOptions,
} from '@weir/test-kit';
import type { Session } from '../session';
import { openTracing, type Tracing } from './open-tracing';

const createdAtMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const session = {
  id: 'task-0',
  taskId: 'task',
  createdAtMs,
  cache: createInteractionCache(),
  status: () => ({ endReason: 'client', sampledTokens: 20, rewardRevision: 1, stateSinceMs: createdAtMs + 60_000 }),
} as unknown as Session;
const agent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

const request = {
  protocol: 'chat-completions',
  model: 'm',
  messages: [{ role: 'user', content: 'the secret of the prompt' }],
  sampling: { temperature: 0.5, topP: 0.9, seed: 7 },
  maxNewTokens: 64,
  stop: ['END'],
  format: { kind: 'text' },
  isStreaming: true,
  isRecorded: true,
} as unknown as CompletionRequest;

const started: CompletionEvent = { kind: 'started', id: 'chatcmpl-1', createdAt: new Date(0), promptTokens: 12 };
const text: CompletionEvent = { kind: 'text', text: 'the secret of the answer' };
const finished: CompletionEvent = {
  kind: 'finished',
  result: {
    output: { role: 'assistant', content: 'the secret of the answer' },
    finishReason: 'stop',
    stopText: undefined,
    usage: { promptTokens: 12, cachedTokens: 8, completionTokens: 5, reasoningTokens: 2 },
  },
};

let collector: TestTraceCollector;
let tracing: Tracing;
let clock: ReturnType<typeof createManualClock>;
const logger = createRecordingLogger();

async function open(options: TraceCollectorOptions = {}): Promise<void> {
  clock = createManualClock(new Date(createdAtMs + 1_000));
  collector = await startTraceCollector(options);
  const config = { url: `${collector.endpoint}/v1/traces`, serviceName: 'rollouts' };
  tracing = openTracing({ config, provider: 'vllm', clock, logger });
}
afterEach(() => collector.close());

/** Half a second passes before each event. */
async function* play(...steps: readonly (CompletionEvent | Error)[]) {
  for (const step of steps) {
    await Promise.resolve();
    clock.advance(500);
    if (step instanceof Error) throw step;
    yield step;
  }
}

async function consume(events: AsyncIterable<CompletionEvent>, most = Infinity): Promise<readonly CompletionEvent[]> {
  const taken: CompletionEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length >= most) break;
  }
  return taken;
}

const traceCall = (traceParent?: string, ...steps: readonly (CompletionEvent | Error)[]) =>
  tracing.traceCall({ session, request, traceParent }, play(...steps));

describe('openTracing', () => {
  it('passes the events of a call on, and reports it below its session without any of its text', async () => {
    await open();
    expect(await consume(traceCall(undefined, started, text, finished))).toEqual([started, text, finished]);
    tracing.traceSession(session);
    await tracing.stop();

    const [call, whole] = collector.spans;
    expect(call).toMatchObject({
      name: 'chat m',
      parentSpanId: whole?.spanId,
      traceId: whole?.traceId,
      startedAt: createdAtMs + 1_000,
      endedAt: createdAtMs + 2_500,
      hasFailed: false,
      resource: { 'service.name': 'rollouts' },
    });
    expect(call?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'vllm',
      'gen_ai.request.model': 'm',
      'gen_ai.response.model': 'm',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.conversation.id': 'task-0',
      'gen_ai.output.type': 'text',
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.seed': 7,
      'gen_ai.request.max_tokens': 64,
      'gen_ai.request.stop_sequences': expect.anything() as unknown,
      'gen_ai.response.finish_reasons': expect.anything() as unknown,
      'gen_ai.response.time_to_first_chunk': 1,
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cache_read.input_tokens': 8,
      'gen_ai.usage.reasoning.output_tokens': 2,
      'weir.protocol': 'chat-completions',
      'weir.recorded': true,
      'weir.task.id': 'task',
    });
    expect(whole).toMatchObject({
      name: 'invoke_agent',
      parentSpanId: undefined,
      startedAt: createdAtMs,
      endedAt: createdAtMs + 60_000,
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.conversation.id': 'task-0',
        'gen_ai.usage.output_tokens': 20,
        'weir.session.calls': 0,
        'weir.session.rewards': 1,
        'weir.session.end_reason': 'client',
      },
    });
    expect(JSON.stringify(collector.spans)).not.toContain('secret');
  });

  it('reports a call below the span of an agent that is traced, linked to its session', async () => {
    await open();
    await consume(traceCall(`00-${agent.traceId}-${agent.spanId}-01`, started, finished));
    tracing.traceSession(session);
    await tracing.stop();

    const [call, whole] = collector.spans;
    expect(call).toMatchObject({ traceId: agent.traceId, parentSpanId: agent.spanId, links: [whole?.spanId] });
  });

  it.each(['', 'nonsense', '00-00000000000000000000000000000000-b7ad6b7169203331-01'])(
    'reports a call with the invalid traceparent %j below its session',
    async (traceParent) => {
      await open();
      await consume(traceCall(traceParent, started, finished));
      tracing.traceSession(session);
      await tracing.stop();

      expect(collector.spans[0]?.parentSpanId).toBe(collector.spans[1]?.spanId);
    },
  );

  it('reports nothing below a span that its agent does not record', async () => {
    await open();
    await consume(traceCall(`00-${agent.traceId}-${agent.spanId}-00`, started, finished));
    await tracing.stop();

    expect(collector.spans).toEqual([]);
  });

  it('gives sessions of the same name but another start other ids', async () => {
    await open();
    tracing.traceSession(session);
    tracing.traceSession({ ...session, createdAtMs: createdAtMs + 1 });
    await tracing.stop();

    expect(new Set(collector.spans.flatMap(({ traceId, spanId }) => [traceId, spanId])).size).toBe(4);
  });

  it('marks a failed call with the code of its error', async () => {
    await open();
    const failure = new AppError('upstream_failed', 'The engine said no.', { reason: 'engine' });
    await expect(consume(traceCall(undefined, started, failure))).rejects.toBe(failure);
    await tracing.stop();

    expect(collector.spans).toMatchObject([{ hasFailed: true, attributes: { 'error.type': 'upstream_failed' } }]);
  });

  it('marks a call whose client left', async () => {
    await open();
    await consume(traceCall(undefined, started, text, finished), 2);
    await tracing.stop();

    expect(collector.spans).toMatchObject([{ hasFailed: true, attributes: { 'error.type': 'client_closed_request' } }]);
  });

  it('warns when the collector refuses spans, without its address', async () => {
    await open({ behaviour: 'refuses' });
    await consume(traceCall(undefined, started, finished));
    await tracing.stop();

    const warnings = logger.entries.filter(({ level }) => level === 'warn');
    expect(warnings).toMatchObject([{ message: 'spans were not sent' }]);
    expect(JSON.stringify(warnings)).not.toContain(collector.endpoint);
  });
});
