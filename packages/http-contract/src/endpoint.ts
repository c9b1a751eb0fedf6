import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anybody, anybody with a valid credential, or a principal that has one of these roles. */
export type Access = 'public' | 'authenticated' | readonly string[];

/** The answer of a call that worked. Without a schema the answer has no body, unless it is a file. */
export interface Success<Schema extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  readonly schema?: Schema;
  /** Whether the answer is a file to be saved, sent as `application/octet-stream` whatever it holds. */
  readonly file?: true;
}

/** What a handler answers with where the answer is a file. */
export interface FileAnswer {
  /** Under which it is saved; the last part of a path. */
  readonly name: string;
  readonly size: number;
  /** Exactly `size` bytes. Read to its end, or left early when the client goes away. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Failures of one status: what they mean to a reader, and the stable `reason` words a program may test. */
export interface ErrorAnswer {
  readonly description: string;
  readonly reasons?: readonly string[];
}

/**
 * One HTTP operation as a value. The server binds it, the client calls it, the OpenAPI document is emitted from it;
 * there is no other description of the operation.
 */
export interface Endpoint {
  readonly method: HttpMethod;
  /** Below the API's base path, parameters in braces: `/users/{userId}`. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly access: Access;
  /** Path parameters; one text property for each pair of braces in `path`. */
  readonly params?: z.ZodObject;
  /** Query parameters. Values arrive as text, or as a list of text where the parameter is repeated. */
  readonly query?: z.ZodObject;
  /** JSON body. An endpoint without it ignores whatever body is sent. */
  readonly body?: z.ZodType;
  /** `false` where a request may leave the body out; the handler then sees what the schema makes of `undefined`. */
  readonly bodyRequired?: boolean;
  readonly success: Success;
  /** Beyond these, every operation may answer `default`, the unexpected error. */
  readonly errors: Readonly<Partial<Record<number, ErrorAnswer>>>;
}

/** Keeps the exact types of a definition. Does nothing at run time. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a handler receives, after parsing. */
export interface ParsedInput<E extends Endpoint> {
  readonly params: OutputOf<E['params']>;
  readonly query: OutputOf<E['query']>;
  readonly body: OutputOf<E['body']>;
}

/** What a handler returns: the success schema before parsing, a file, or nothing where the answer has no body. */
export type HandlerResult<E extends Endpoint> = E['success'] extends { readonly schema: infer Schema }
  ? InputOf<Schema>
  : E['success'] extends { readonly file: true }
    ? FileAnswer
    : undefined;

/** What a client receives on success. */
export type SuccessBody<E extends Endpoint> = E['success'] extends { readonly schema: infer Schema }
  ? OutputOf<Schema>
  : E['success'] extends { readonly file: true }
    ? Uint8Array
    : undefined;

type RequestPart<Key extends string, Schema> = Schema extends z.ZodType
  ? Partial<z.input<Schema>> extends z.input<Schema>
    ? Partial<Record<Key, z.input<Schema>>>
    : Record<Key, z.input<Schema>>
  : unknown;

/** What a client passes in: `params`, `query` and `body` where the endpoint has them. */
export type ClientRequest<E extends Endpoint> = RequestPart<'params', E['params']> &
  RequestPart<'query', E['query']> &
  RequestPart<'body', E['body']>;
