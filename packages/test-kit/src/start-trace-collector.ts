import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Server, ServerCredentials, status, type handleUnaryCall } from '@grpc/grpc-js';
import { parse } from 'protobufjs';

export interface ReceivedSpan {
  /** The id in hexadecimal. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly hasFailed: boolean;
  readonly message: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The ids of the spans that it is linked to; over HTTP only. */
  readonly links: readonly string[];
  /** Attributes of the resource. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface TestTraceCollector {
  /** The endpoint for the configuration of clients: a URL, or host and port for gRPC. */
  readonly endpoint: string;
  readonly spans: readonly ReceivedSpan[];
  /** The headers, or metadata, of each request. */
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  readonly close: () => Promise<void>;
}

export interface TraceCollectorOptions {
  readonly protocol?: 'http' | 'grpc';
  /** `refuses` answers 401 or UNAUTHENTICATED; `silent` never answers. */
  readonly behaviour?: 'takes' | 'refuses' | 'silent';
}

/** A collector that takes spans by OTLP, over HTTP with JSON or over gRPC. */
export function startTraceCollector(options: TraceCollectorOptions = {}): Promise<TestTraceCollector> {
  return options.protocol === 'grpc' ? startGrpcCollector(options) : startHttpCollector(options);
}

async function startHttpCollector({ behaviour = 'takes' }: TraceCollectorOptions): Promise<TestTraceCollector> {
  const spans: ReceivedSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as OtlpRequest;
      headers.push(request.headers);
      if (behaviour === 'silent') return;
      const isRight = request.method === 'POST' && request.url === '/v1/traces';
      if (isRight && behaviour === 'takes') spans.push(...readSpans(body, (id) => id));
      response.writeHead(isRight ? (behaviour === 'takes' ? 200 : 401) : 404, { 'content-type': 'application/json' });
      response.end('{}');
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    headers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function startGrpcCollector({ behaviour = 'takes' }: TraceCollectorOptions): Promise<TestTraceCollector> {
  const spans: ReceivedSpan[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const server = new Server();
  const exportSpans: handleUnaryCall<OtlpRequest, Buffer> = ({ request, metadata }, answer) => {
    headers.push(metadata.getMap());
    if (behaviour === 'silent') return;
    if (behaviour === 'takes') spans.push(...readSpans(request, fromBase64));
    answer(behaviour === 'takes' ? null : { code: status.UNAUTHENTICATED }, Buffer.alloc(0));
  };
  const service = {
    Export: {
      path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      requestStream: false,
      responseStream: false,
      requestSerialize: () => Buffer.alloc(0),
      requestDeserialize: decodeRequest,
      responseSerialize: (bytes: Buffer) => bytes,
      responseDeserialize: (bytes: Buffer) => bytes,
    },
  };
  server.addService(service, { Export: exportSpans });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    endpoint: `127.0.0.1:${port}`,
    spans,
    headers,
    close: () => {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly links?: readonly { readonly spanId: string }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly OtlpAttribute[] };
    readonly scopeSpans?: readonly { readonly spans?: readonly OtlpSpan[] }[];
  }[];
}

const failedCode = 2;

function readSpans({ resourceSpans = [] }: OtlpRequest, readId: (id: string) => string): readonly ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map((span) => ({
        traceId: readId(span.traceId),
        spanId: readId(span.spanId),
        parentSpanId: span.parentSpanId === undefined ? undefined : readId(span.parentSpanId),
        name: span.name,
        startedAt: toMs(span.startTimeUnixNano),
        endedAt: toMs(span.endTimeUnixNano),
        hasFailed: span.status?.code === failedCode,
        message: span.status?.message,
        attributes: readAttributes(span.attributes),
        links: (span.links ?? []).map((link) => readId(link.spanId)),
        resource: readAttributes(resource?.attributes),
      })),
    ),
  );
}

const fromBase64 = (id: string): string => Buffer.from(id, 'base64').toString('hex');
const toMs = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000_000n);

function readAttributes(attributes: readonly OtlpAttribute[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

/** An integer of 64 bits is text in JSON. */
function readValue({ intValue, ...others }: Readonly<Record<string, unknown>>): unknown {
  return intValue === undefined ? Object.values(others)[0] : Number(intValue);
}

/** The part of the protocol that the double reads; numbers from opentelemetry-proto 1.x. */
const requestType = parse(`syntax = "proto3";
  message Request { repeated ResourceSpans resourceSpans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes traceId = 1;
    bytes spanId = 2;
    bytes parentSpanId = 4;
    string name = 5;
    fixed64 startTimeUnixNano = 7;
    fixed64 endTimeUnixNano = 8;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; } }
`).root.lookupType('Request');

function decodeRequest(bytes: Buffer): OtlpRequest {
  return requestType.toObject(requestType.decode(bytes), { bytes: String, longs: String });
}
