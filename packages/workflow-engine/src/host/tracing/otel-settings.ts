import type { JsonObject } from '@weir/workflow-spec';
import type { Scope } from '@weir/workflow-spec/values';
import { durationMs } from '../../values/text/duration';
import { resolveTexts } from '../../values/text/resolve-texts';

/** The key `otel` of a DAG with its references replaced. What is missing is taken from the variables of OpenTelemetry. */
export interface OtelSettings {
  readonly protocol: 'http' | 'grpc';
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the connection has no TLS. */
  readonly isPlain: boolean;
  /** Limits one request. */
  readonly timeoutMs: number;
  readonly resource: JsonObject;
}

const defaultTimeoutMs = 10_000;
const grpcPort = '4317';

/** Returns `undefined` when the DAG is not traced. Throws `resolved_text_too_long`. */
export function readOtelSettings(otel: JsonObject | undefined, scope: Scope): OtelSettings | undefined {
  if (otel?.enabled !== true) return undefined;
  const { endpoint, headers, insecure, timeout, resource } = resolveTexts(otel, scope);
  const found = typeof endpoint === 'string' ? readEndpoint(endpoint.trim()) : ({ protocol: 'http' } as const);
  return {
    ...found,
    headers: (headers ?? {}) as Readonly<Record<string, string>>,
    isPlain: insecure === true || found.url?.startsWith('http:') === true,
    timeoutMs: durationMs('timeout', timeout as string | number | undefined, defaultTimeoutMs),
    resource: (resource ?? {}) as JsonObject,
  };
}

/** A host and port, and the port of gRPC, mean OTLP over gRPC; any other URL means OTLP over HTTP. */
function readEndpoint(endpoint: string): Pick<OtelSettings, 'protocol' | 'url'> {
  if (!/^https?:\/\//i.test(endpoint)) return { protocol: 'grpc', url: endpoint };
  const url = new URL(endpoint);
  const hasPath = url.pathname !== '/';
  if (!hasPath && url.port === grpcPort) return { protocol: 'grpc', url: endpoint };
  if (!hasPath) url.pathname = '/v1/traces';
  return { protocol: 'http', url: url.href };
}
