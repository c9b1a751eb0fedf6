import type { IncomingHttpHeaders } from 'node:http';
import { apiRefusal } from './fake-answers';
import type { FakeAnswer } from './fake-answers';
import type { FakeBase, FakeService } from './fake-cloud-types';
import type { Fault } from './fault-plans';

/** One request, read and attributed to a service. */
export interface FakeCall {
  readonly service: FakeService;
  readonly base: FakeBase | undefined;
  readonly method: string;
  /** Below the base address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Path and query as they were asked for. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly fault: Fault;
}

export type FakeHandler = (call: FakeCall) => FakeAnswer | Promise<FakeAnswer>;

export type JsonObject = Readonly<Record<string, unknown>>;

export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function contentType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export function demandMethod(call: FakeCall, method: 'GET' | 'POST'): void {
  if (call.method !== method) throw apiRefusal(405, `Only ${method} is answered here.`);
}

/** The body as an object with none but the named fields. */
export function readJsonBody(call: FakeCall, fields: readonly string[]): JsonObject {
  if (contentType(call.headers) !== 'application/json') throw apiRefusal(400, 'The content type is not JSON.');
  const body = parseJson(call.body);
  if (!isObject(body)) throw apiRefusal(400, 'The body is not a JSON object.');
  for (const name of Object.keys(body)) {
    if (!fields.includes(name)) throw apiRefusal(400, `Unknown name "${name}" in the body.`);
  }
  return body;
}

/** A form, each field of which comes once. */
export function readFormBody(call: FakeCall): JsonObject {
  if (contentType(call.headers) !== 'application/x-www-form-urlencoded') {
    throw apiRefusal(400, 'The content type is not that of a form.');
  }
  const entries = [...new URLSearchParams(call.body)];
  const fields = Object.fromEntries(entries);
  if (Object.keys(fields).length !== entries.length) throw apiRefusal(400, 'A field comes twice.');
  return fields;
}

/** `undefined` for what is not JSON. */
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
