import type { IncomingHttpHeaders } from 'node:http';
import { apiRejection } from './responses';
import type { FakeResponse } from './responses';
import type { FakeBase } from './fake-cloud';
import type { FakeService } from './fake-types';
import type { Fault } from './fault-plans';

/** A request with its body and the service that it is for. */
export interface FakeCall {
  readonly service: FakeService;
  readonly base: FakeBase | undefined;
  readonly method: string;
  /** The path below the base address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The path and query of the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly fault: Fault;
}

export type FakeHandler = (call: FakeCall) => FakeResponse | Promise<FakeResponse>;

export type JsonObject = Readonly<Record<string, unknown>>;

export function readBearer(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function contentType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function requireMethod(call: FakeCall, method: 'GET' | 'POST'): void {
  if (call.method !== method) throw apiRejection(405, `Only ${method} is allowed.`);
}

/** Fails for fields other than the named ones. */
export function readJsonBody(call: FakeCall, fields: readonly string[]): JsonObject {
  if (contentType(call.headers) !== 'application/json') throw apiRejection(400, 'The content type is not JSON.');
  const body = parseJson(call.body);
  if (!isObject(body)) throw apiRejection(400, 'The body is not a JSON object.');
  for (const name of Object.keys(body)) {
    if (!fields.includes(name)) throw apiRejection(400, `Unknown name "${name}" in the body.`);
  }
  return body;
}

/** Fails for repeated fields. */
export function readFormBody(call: FakeCall): JsonObject {
  if (contentType(call.headers) !== 'application/x-www-form-urlencoded') {
    throw apiRejection(400, 'The content type is not that of a form.');
  }
  const entries = [...new URLSearchParams(call.body)];
  const fields = Object.fromEntries(entries);
  if (Object.keys(fields).length !== entries.length) throw apiRejection(400, 'A field comes twice.');
  return fields;
}

/** Returns `undefined` for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
