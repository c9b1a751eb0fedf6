import { hash } from 'node:crypto';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, RandomIdGenerator, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { toAppError } from '@weir/foundation';
import type { CompletionRequest, CompletionResult, Protocol } from '@weir/rollout-engine';
import type { Logger, Resource } from '@weir/service-kit';
import type { Clock } from '../clock';
import type { TracingConfig } from '../config';
import type { TraceCall } from '../protocols/model-route';
import type { Session } from '../session';

type TracedSession = Pick<Session, 'id' | 'taskId' | 'createdAtMs'>;
type TracedCall = Parameters<TraceCall<TracedSession>>[0];

/**
 * Sends sessions and model calls to an OpenTelemetry collector, with the names of the conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). No text of prompts and answers is sent. A span that cannot be
 * sent is left out, with a warning: nothing waits for the collector but the end of the process.
 */
export interface Tracing extends Resource {
  /**
   * Passes the events on, and reports the call when they end: below the span of the agent, linked to its session, or
   * below the session where the agent is not traced.
   */
  readonly traceCall: TraceCall<TracedSession>;
  /** Reports a session, from its start, once it has ended. */
  readonly traceSession: (session: Session) => void;
}

export interface TracingOptions {
  readonly config: TracingConfig;
  /** The kind of the engine, which counts as the provider. */
  readonly provider: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function openTracing({ config, provider, clock, logger }: TracingOptions): Tracing {
  const random = new RandomIdGenerator();
  let named: SpanContext | undefined;
  const exporter = warningExporter(new OTLPTraceExporter({ url: config.url }), logger);
  const tracers = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes({ 'service.name': config.serviceName })),
    idGenerator: {
      generateSpanId: () => named?.spanId ?? random.generateSpanId(),
      generateTraceId: () => named?.traceId ?? random.generateTraceId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = tracers.getTracer('weir');
  // Numbers would be taken as times since the start of the process where they are small.
  const now = () => new Date(clock.nowMs());

  const startCall = ({ session, request, traceParent }: TracedCall): Span => {
    const ofSession = sessionSpan(session);
    const ofAgent = traceParent === undefined ? null : parseTraceParent(traceParent);
    const operation = operations[request.protocol];
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      ...requestAttributes(request),
      ...sessionNames(session),
    };
    return tracer.startSpan(
      `${operation} ${request.model}`,
      {
        kind: SpanKind.CLIENT,
        startTime: now(),
        attributes,
        ...(ofAgent !== null && { links: [{ context: ofSession }] }),
      },
      trace.setSpanContext(ROOT_CONTEXT, ofAgent === null ? ofSession : { ...ofAgent, isRemote: true }),
    );
  };

  return {
    name: 'traces',
    async *traceCall(call, events) {
      const startedAtMs = clock.nowMs();
      const span = startCall(call);
      let isFinished = false;
      let isAnswered = false;
      try {
        for await (const event of events) {
          if (event.kind === 'started') span.setAttribute('gen_ai.response.id', event.id);
          else if (!isAnswered) {
            isAnswered = true;
            span.setAttribute('gen_ai.response.time_to_first_chunk', (clock.nowMs() - startedAtMs) / 1000);
          }
          if (event.kind === 'finished') {
            isFinished = true;
            span.setAttributes(resultAttributes(event.result));
          }
          yield event;
        }
      } catch (error) {
        isFinished = true;
        fail(span, toAppError(error).code);
        throw error;
      } finally {
        if (!isFinished) fail(span, 'client_closed_request');
        span.end(now());
      }
    },
    traceSession: (session) => {
      const { endReason, sampledTokens, rewardRevision, stateSinceMs } = session.status();
      named = sessionSpan(session);
      const span = tracer.startSpan(
        'invoke_agent',
        {
          root: true,
          startTime: new Date(session.createdAtMs),
          attributes: {
            'gen_ai.operation.name': 'invoke_agent',
            'gen_ai.provider.name': provider,
            'gen_ai.usage.output_tokens': sampledTokens,
            ...sessionNames(session),
            'weir.session.calls': session.cache.size,
            'weir.session.rewards': rewardRevision,
            ...(endReason !== undefined && { 'weir.session.end_reason': endReason }),
          },
        },
        ROOT_CONTEXT,
      );
      named = undefined;
      span.end(new Date(stateSinceMs));
    },
    stop: () => tracers.shutdown(),
  };
}

/** The names of the conventions. */
const operations: Readonly<Record<Protocol, string>> = {
  'chat-completions': 'chat',
  responses: 'chat',
  messages: 'chat',
  'generate-content': 'generate_content',
  completions: 'text_completion',
};

/** The ids of a session's span follow from the session, so that calls are below it before it is sent. */
function sessionSpan({ id, createdAtMs }: TracedSession): SpanContext {
  const digest = hash('sha256', JSON.stringify([id, createdAtMs]));
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48), traceFlags: TraceFlags.SAMPLED };
}

function sessionNames({ id, taskId }: TracedSession): Attributes {
  return { 'gen_ai.conversation.id': id, 'weir.task.id': taskId };
}

function requestAttributes(request: CompletionRequest): Attributes {
  const { protocol, model, sampling, maxNewTokens, stop, format, isStreaming, isRecorded } = request;
  return {
    'gen_ai.request.model': model,
    'gen_ai.response.model': model,
    'gen_ai.output.type': format.kind === 'text' ? 'text' : 'json',
    'gen_ai.request.stream': isStreaming,
    ...definedOnly({
      'gen_ai.request.temperature': sampling.temperature,
      'gen_ai.request.top_p': sampling.topP,
      'gen_ai.request.top_k': sampling.topK,
      'gen_ai.request.frequency_penalty': sampling.frequencyPenalty,
      'gen_ai.request.presence_penalty': sampling.presencePenalty,
      'gen_ai.request.seed': sampling.seed,
      'gen_ai.request.max_tokens': maxNewTokens,
    }),
    ...(stop.length > 0 && { 'gen_ai.request.stop_sequences': [...stop] }),
    'weir.protocol': protocol,
    'weir.recorded': isRecorded,
  };
}

function resultAttributes({ finishReason, usage }: CompletionResult): Attributes {
  return {
    'gen_ai.response.finish_reasons': [finishReason],
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
  };
}

function definedOnly(values: Readonly<Record<string, number | undefined>>): Attributes {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Reports what was not sent itself: what an exporter says may hold addresses and headers. */
function warningExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS) logger.warn({ spans: spans.length }, 'spans were not sent');
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
