import type { Endpoint } from '@weir/http-contract';
import { parseInputPart } from '@weir/service-kit';
import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import { requireScope } from '../../access/scopes';

export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Calls a GET operation of this API, and returns the answer that its routes would send. */
export type CallOperation = (endpoint: Endpoint, input: OperationInput, principal: Principal) => Promise<unknown>;

type AnyHandler = (context: unknown) => unknown;

/** Operations whose handlers are made once, however many listeners serve them. */
export interface Operations {
  readonly bind: Bind;
  /** Binds the operations that were bound here, in the same order. */
  readonly bindTo: (to: Bind) => void;
  readonly call: CallOperation;
}

/** Remembers the handlers of operations, so that a topic is the answer of its operation by construction. */
export function collectOperations(): Operations {
  const handlers = new Map<string, AnyHandler>();
  const bindings: ((to: Bind) => void)[] = [];
  return {
    bind: (endpoint, handler) => {
      // The type of the handler's context depends on the endpoint, by whose schemas `call` parses it.
      handlers.set(endpoint.operationId, handler as AnyHandler);
      bindings.push((to) => to(endpoint, handler));
    },
    bindTo: (to) => {
      for (const bindOne of bindings) bindOne(to);
    },
    call: async (endpoint, { params = {}, query = {} }, principal) => {
      const handler = handlers.get(endpoint.operationId);
      if (handler === undefined) throw new Error(`The operation ${endpoint.operationId} is not bound.`);
      requireScope(principal, endpoint);
      const result = await handler({
        input: {
          params: endpoint.params && parseInputPart('path', endpoint.params, params),
          query: endpoint.query && parseInputPart('query', endpoint.query, query),
          body: undefined,
        },
        principal,
        requestId: '',
        clientAddress: '',
        ifMatch: undefined,
        lastEventId: undefined,
        setEntityTag: () => undefined,
        signal: new AbortController().signal,
        onSent: () => undefined,
      });
      return endpoint.success.schema?.parse(result);
    },
  };
}
