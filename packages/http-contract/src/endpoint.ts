import type { z } from 'zod';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The callers who are allowed: everyone, everyone with a valid username and password in the body, everyone with a valid
 * credential, or a principal that has one of these roles.
 */
export type Access = 'public' | 'login' | 'authenticated' | readonly string[];

/**
 * The content of a successful response that is not, or not only, JSON. With `bytes` and a schema the handler chooses
 * between the two; every other kind stands alone.
 */
export type Content =
  /** A file to be saved, sent as an attachment. Default type: `application/octet-stream`, regardless of the content. */
  | { readonly kind: 'file'; readonly type?: string }
  | { readonly kind: 'text'; readonly type: string }
  | { readonly kind: 'bytes'; readonly type: string }
  /** Server-sent events. */
  | { readonly kind: 'events' };

/** The audit log's name for the change that an operation makes. */
export interface AuditAction {
  /** The kind of thing that is changed: `user`. */
  readonly category: string;
  /** Unique among the changes of its category: `user_create`. */
  readonly action: string;
  /** Whether calls that are refused are recorded as well, as those that check a password are. Default: they are not. */
  readonly recordsFailures?: true;
}

/** The answer of a call that worked. Without schema and content it has no body. */
export interface Success<Schema extends z.ZodType | undefined = z.ZodType | undefined> {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  readonly schema?: Schema;
  readonly content?: Content;
  /**
   * How long caches may keep answers that change only with a release, in seconds. They get an entity tag, and a caller
   * that has the current one is answered 304.
   */
  readonly cacheSeconds?: number;
  /** JSON and bytes are compressed for a caller whose `Accept-Encoding` names zstd. Default: never. */
  readonly isCompressed?: boolean;
}

/** The return value of a handler whose answer is a file. */
export interface FileAnswer {
  /** The name under which it is saved; the last part of a path. */
  readonly name: string;
  readonly size: number;
  /** Opens exactly these bytes, the last one included. The stream may be abandoned when the client disconnects. */
  readonly read: (range: ByteRange) => AsyncIterable<Uint8Array>;
  /** Called once when the answer is over, however it ended. */
  readonly close?: () => Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One server-sent event. */
export interface ServerEvent {
  readonly event?: string;
  readonly id?: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** The failures of one status: their meaning for a reader, and the stable `reason` words that a program may test. */
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
  /** The path below the API's base path, parameters in braces: `/users/{userId}`. */
  readonly path: `/${string}`;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly access: Access;
  /** Missing where the service has no audit log, and for operations that only read. */
  readonly audit?: AuditAction | 'no-change';
  /** Path parameters; one text property for each pair of braces in `path`. */
  readonly params?: z.ZodObject;
  /** Query parameters. Values arrive as text, or as a list of text where the parameter is repeated. */
  readonly query?: z.ZodObject;
  /** The schema of the JSON body. An endpoint without it ignores every body. */
  readonly body?: z.ZodType;
  /** `false` if a request may omit the body; the handler then gets the schema's result for `undefined`. */
  readonly bodyRequired?: boolean;
  /** The largest body in bytes. Default: that of the server. */
  readonly maxBodyBytes?: number;
  /**
   * Whether what is read or changed has revisions: the answer has the entity tag of the current one as `ETag`, and a
   * method other than GET reads `If-Match`.
   */
  readonly hasRevisions?: true;
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

/** The parsed input that a handler receives. */
export interface ParsedInput<E extends Endpoint> {
  readonly params: OutputOf<E['params']>;
  readonly query: OutputOf<E['query']>;
  readonly body: OutputOf<E['body']>;
}

interface HandlerContent {
  readonly file: FileAnswer;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly events: AsyncIterable<ServerEvent>;
}

interface ClientContent {
  readonly file: Uint8Array;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly events: string;
}

type ContentOf<S extends Success, ByKind extends Record<Content['kind'], unknown>> = S extends {
  readonly content: { readonly kind: infer Kind extends Content['kind'] };
}
  ? ByKind[Kind]
  : never;

/** The result of a handler: the success schema before parsing, the declared content, or nothing. */
export type HandlerResult<E extends Endpoint> = E['success'] extends { readonly schema: infer Schema }
  ? InputOf<Schema> | ContentOf<E['success'], HandlerContent>
  : E['success'] extends { readonly content: Content }
    ? ContentOf<E['success'], HandlerContent>
    : undefined;

/** The success body that a client receives. It asks for JSON if there is a choice. */
export type SuccessBody<E extends Endpoint> = E['success'] extends { readonly schema: infer Schema }
  ? OutputOf<Schema>
  : E['success'] extends { readonly content: Content }
    ? ContentOf<E['success'], ClientContent>
    : undefined;

type RequestPart<Key extends string, Schema> = Schema extends z.ZodType
  ? Partial<z.input<Schema>> extends z.input<Schema>
    ? Partial<Record<Key, z.input<Schema>>>
    : Record<Key, z.input<Schema>>
  : unknown;

/** The client's input: `params`, `query` and `body` if the endpoint has them. */
export type ClientRequest<E extends Endpoint> = RequestPart<'params', E['params']> &
  RequestPart<'query', E['query']> &
  RequestPart<'body', E['body']>;
