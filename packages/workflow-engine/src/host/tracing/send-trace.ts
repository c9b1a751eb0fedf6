import { SpanKind, SpanStatusCode, TraceFlags, type Attributes, type HrTime } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { createExporter } from './create-exporter';
import type { OtelSettings } from './otel-settings';
import type { RunTrace, TraceSpan } from './run-trace';

/** Sends a trace to a collector. Rejects with what the exporter reports. */
export type SendTrace = (trace: RunTrace, settings: OtelSettings) => Promise<void>;

/** The SDK itself puts as many into one request. */
const spansPerRequest = 512;
const instrumentationScope = { name: 'weir' };

/** By OTLP, over HTTP with JSON or over gRPC. The SDK is loaded when the first trace is sent. */
export const sendTrace: SendTrace = async ({ traceId, spans }, settings) => {
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
  const attributes = { 'service.name': 'weir', ...settings.resource } as Attributes;
  const resource = defaultResource().merge(resourceFromAttributes(attributes));
  const exporter = await createExporter(settings);
  try {
    for (let first = 0; first < spans.length; first += spansPerRequest) {
      const part = spans.slice(first, first + spansPerRequest);
      await exportSpans(
        exporter,
        part.map((span) => toReadableSpan(traceId, span, resource)),
      );
    }
  } finally {
    await exporter.shutdown();
  }
};

async function exportSpans(exporter: SpanExporter, spans: ReadableSpan[]): Promise<void> {
  const { ExportResultCode } = await import('@opentelemetry/core');
  const taken: number = ExportResultCode.SUCCESS;
  return new Promise((resolve, reject) => {
    exporter.export(spans, ({ code, error }) => {
      const result: number = code;
      if (result === taken) resolve();
      else reject(error ?? new Error('The collector did not take the spans.'));
    });
  });
}

function toReadableSpan(traceId: string, span: TraceSpan, resource: ReadableSpan['resource']): ReadableSpan {
  const { id, parentId, name, startedAt, endedAt, error, attributes } = span;
  const contextOf = (spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED });
  return {
    name,
    kind: SpanKind.INTERNAL,
    spanContext: () => contextOf(id),
    ...(parentId === undefined ? {} : { parentSpanContext: contextOf(parentId) }),
    startTime: toHrTime(startedAt.getTime()),
    endTime: toHrTime(endedAt.getTime()),
    duration: toHrTime(Math.max(0, endedAt.getTime() - startedAt.getTime())),
    status: error === undefined ? { code: SpanStatusCode.OK } : { code: SpanStatusCode.ERROR, message: error },
    attributes: { ...attributes },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toHrTime(ms: number): HrTime {
  return [Math.trunc(ms / 1_000), (ms % 1_000) * 1_000_000];
}
