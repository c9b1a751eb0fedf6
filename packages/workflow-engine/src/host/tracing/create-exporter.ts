import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { OtelSettings } from './otel-settings';

const shared = { concurrencyLimit: 1, compression: 'none' } as const;
const component = 'weir';

/**
 * An exporter for the collector of a DAG. The variables of OpenTelemetry, which may hold credentials of the server, apply
 * only where the DAG names no endpoint.
 */
export async function createExporter(settings: OtelSettings): Promise<SpanExporter> {
  const { protocol, url, headers, timeoutMs } = settings;
  if (url === undefined) {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter({ headers: { ...headers }, timeoutMillis: timeoutMs });
  }
  const named = { ...settings, url };
  return protocol === 'http' ? createHttpExporter(named) : createGrpcExporter(named);
}

type NamedSettings = OtelSettings & { readonly url: string };

async function createHttpExporter({ url, headers, timeoutMs }: NamedSettings): Promise<SpanExporter> {
  const { OTLPExporterBase } = await import('@opentelemetry/otlp-exporter-base');
  const { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } =
    await import('@opentelemetry/otlp-exporter-base/node-http');
  const { JsonTraceSerializer, TraceExporterMetricsHelper } = await import('@opentelemetry/otlp-transformer');
  const options = {
    ...shared,
    url,
    timeoutMillis: timeoutMs,
    headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/json' }),
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
  };
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(options, JsonTraceSerializer, component, TraceExporterMetricsHelper, undefined),
  );
}

async function createGrpcExporter({ url, headers, isPlain, timeoutMs }: NamedSettings): Promise<SpanExporter> {
  const { credentials, Metadata } = await import('@grpc/grpc-js');
  const { OTLPExporterBase } = await import('@opentelemetry/otlp-exporter-base');
  const { createOtlpGrpcExportDelegate } = await import('@opentelemetry/otlp-grpc-exporter-base');
  const { ProtobufTraceSerializer, TraceExporterMetricsHelper } = await import('@opentelemetry/otlp-transformer');
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const options = {
    ...shared,
    url: url.replace(/^https?:\/\//i, '').replace(/\/$/, ''),
    timeoutMillis: timeoutMs,
    metadata: () => metadata,
    credentials: () => (isPlain ? credentials.createInsecure() : credentials.createSsl()),
  };
  return new OTLPExporterBase(
    createOtlpGrpcExportDelegate(
      options,
      ProtobufTraceSerializer,
      component,
      TraceExporterMetricsHelper,
      undefined,
      'TraceExportService',
      '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    ),
  );
}
