import type { IncomingMessage } from 'node:http';
import { AppError } from '@weir/foundation';
import type { ApiSurface } from '@weir/workflow-contract/schemas';
import type { Principal } from './principal';

const mcpRequests = new WeakSet<IncomingMessage>();

/** Notes that the request arrived over the Model Context Protocol, or is made by one of its tools. */
export function markAsMcp(req: IncomingMessage): void {
  mcpRequests.add(req);
}

/** Throws `forbidden`, reason `surface_missing`, unless the credential is accepted where the request arrived. */
export function requireSurface({ surfaces }: Principal, req: IncomingMessage): void {
  const surface: ApiSurface = mcpRequests.has(req) ? 'mcp' : 'rest_api';
  if (surfaces === undefined || surfaces.includes(surface)) return;
  throw new AppError('forbidden', `The credential is not accepted here: its surfaces leave out "${surface}".`, {
    reason: 'surface_missing',
  });
}
