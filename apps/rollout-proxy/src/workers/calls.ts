import { AppError, isAppError } from '@weir/foundation';

/** One end of the connection between a worker and the process that started it; messages arrive in their order. */
export interface Connection {
  /** A message that cannot be sent any more is dropped: the other end is gone then. */
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  onEnd(listener: () => void): void;
}

type Methods<T> = { readonly [Name in keyof T]: (...given: never[]) => Promise<unknown> };

interface CallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

type AnswerMessage = { readonly kind: 'answer'; readonly id: number } & (
  { readonly value: unknown } | { readonly error: ErrorText }
);

type ErrorText = Pick<AppError, 'code' | 'message' | 'reason' | 'details'>;

/** Answers the calls that arrive. The other end is the same program, so names and values are those of the interface. */
export function answerCalls<T extends Methods<T>>(connection: Connection, methods: T): void {
  connection.onMessage((message) => {
    if (!isKind<CallMessage>(message, 'call')) return;
    const { id, name, given } = message;
    const method = methods[name as keyof T] as unknown as (...given: readonly unknown[]) => Promise<unknown>;
    method(...given).then(
      (value) => connection.send({ kind: 'answer', id, value }),
      (error: unknown) => connection.send({ kind: 'answer', id, error: toText(error) }),
    );
  });
}

/** The methods of the other end. Calls reject with the error of the method, or with `unavailable` once the end is gone. */
export function createCalls<T extends Methods<T>>(connection: Connection): T {
  const waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (e: Error) => void }
  >();
  let nextId = 0;
  let isOver = false;
  connection.onMessage((message) => {
    if (!isKind<AnswerMessage>(message, 'answer')) return;
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) call?.reject(toError(message.error));
    else call?.resolve(message.value);
  });
  connection.onEnd(() => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(ended());
    waiting.clear();
  });
  const call = (name: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isOver) {
        reject(ended());
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      connection.send({ kind: 'call', id, name, given });
    });
  return new Proxy({} as T, {
    // A promise that resolves with this object must not find a method `then`.
    get: (_target, name) =>
      typeof name === 'symbol' || name === 'then' ? undefined : (...given: unknown[]) => call(name, given),
  });
}

/** Messages of the program have a kind; others are those of Node. */
export function isKind<M extends { readonly kind: string }, K extends M['kind'] = M['kind']>(
  message: unknown,
  kind: K,
): message is M & { readonly kind: K } {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind;
}

function toText(error: unknown): ErrorText {
  if (isAppError(error))
    return { code: error.code, message: error.message, reason: error.reason, details: error.details };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message, reason: undefined, details: undefined };
}

function toError({ code, message, reason, details }: ErrorText): AppError {
  return new AppError(code, message, {
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
  });
}

const ended = () => new AppError('unavailable', 'The process at the other end has ended.', { reason: 'workers_ended' });
