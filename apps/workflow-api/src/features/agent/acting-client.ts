import type { IncomingMessage } from 'node:http';
import type { AccessGuard, Logger } from '@weir/service-kit';
import type { WorkflowClient } from '@weir/workflow-client';
import type { RandomSource } from '../../adapters/random-source';
import type { createApp } from '../../app';
import type { Bind } from '../../access/bind';
import { connectWithin, createLocalClient } from '../../local-api';
import type { AuditTrail } from '../audit';
import type { Principal } from '../../access/principal';
import { credentialInvalid } from '../../access/auth-errors';
import { refuseOtherNodes } from '../remote-nodes';

/** Checks the access of one person to an operation, as it is at that time. */
export type CheckAccess = (
  ...asked: Parameters<AccessGuard<Principal>> extends [unknown, ...infer Rest] ? Rest : never
) => Promise<Principal>;

export interface ActingClientPorts {
  /** Binds the operations of this application. */
  readonly bindRoutes: (bind: Bind) => void;
  readonly audit: Pick<AuditTrail, 'openRecord'>;
  readonly random: RandomSource;
  /** Called when the first person acts through the agent. */
  readonly loadApp: () => Promise<{ readonly createApp: typeof createApp }>;
  readonly logger: Logger;
}

export type CreateActingClient = (
  check: CheckAccess,
) => Promise<{ readonly client: WorkflowClient; readonly close: () => void }>;

const bearer = /^Bearer (?<ticket>.+)$/;

/**
 * Creates clients of this process' own API that act for a person after the answer to the person's request. Each has a
 * ticket, known to this process alone, that stands for the credential of that request: each call checks that
 * credential again with the guard. Without a ticket nothing can be called.
 */
export function createActingClients({
  bindRoutes,
  audit,
  random,
  logger,
  loadApp,
}: ActingClientPorts): CreateActingClient {
  const tickets = new Map<string, CheckAccess>();
  const guard: AccessGuard<Principal> = async (req, access, endpoint) => {
    const check = tickets.get(readTicket(req));
    if (check === undefined) throw credentialInvalid();
    return check(access, endpoint);
  };
  const load = async (): Promise<ReturnType<typeof connectWithin>> => {
    const parts = await loadApp();
    // The audit log has the calls of tools; they need no line of their own here.
    const accessLogger = { ...logger, info: () => undefined };
    const shared = { guard, features: [{ bindRoutes }], audit, passOn: refuseOtherNodes, logger, accessLogger };
    return connectWithin(parts.createApp({ basePath: '', trustedProxies: [], ...shared }));
  };
  let connecting: ReturnType<typeof load> | undefined;
  return async (check) => {
    connecting ??= load();
    const connect = await connecting;
    const ticket = Buffer.from(random.bytes(32)).toString('base64url');
    tickets.set(ticket, check);
    return { client: createLocalClient(connect, { token: () => ticket }), close: () => void tickets.delete(ticket) };
  };
}

function readTicket({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return bearer.exec(headers.authorization ?? '')?.groups?.ticket ?? '';
}
