import { AppError } from '@weir/foundation';
import { workflowContract } from '@weir/workflow-contract';
import type { ClientConnection } from '@weir/workflow-contract/schemas';
import type { Bind } from '../../access/bind';
import type { NamedConnection } from './chat-client-repository';
import { isDocumentAddress } from './client-document';
import type { ConnectionService } from './connection-service';
import { requireIssuer, resourceOf, type OwnAddress } from './own-address';
import { isLocalRedirect } from './redirect-address';

interface ConnectionRoutePorts {
  readonly connections: ConnectionService;
  readonly ownAddress: OwnAddress;
}

export function bindConnectionRoutes(bind: Bind, { connections, ownAddress }: ConnectionRoutePorts): void {
  bind(workflowContract.listConnections, async ({ principal, headers }) => {
    const issuer = ownAddress.issuerFor(headers.host);
    const listed = principal.kind === 'user' ? await connections.list(principal.user) : [];
    return {
      connections: listed.map(presentConnection),
      resource: issuer === undefined ? null : resourceOf(issuer),
      unavailableReason: ownAddress.unavailableReason ?? null,
    };
  });

  bind(workflowContract.getClientRequest, async ({ input, headers }) => {
    const issuer = requireIssuer(ownAddress, headers.host);
    const { client, redirectAddress, resource, accesses } = await connections.readRequest(input.query.request, issuer);
    const isLocal = isLocalRedirect(redirectAddress);
    const documentAddress = isDocumentAddress(client.id) ? client.id : null;
    return { clientName: client.name, documentAddress, redirectAddress, isLocal, resource, accesses: [...accesses] };
  });

  bind(workflowContract.answerClientRequest, async ({ input, principal, headers, audit }) => {
    if (principal.kind !== 'user' || principal.sessionId === undefined) throw sessionRequired();
    const request = await connections.readRequest(input.body.request, requireIssuer(ownAddress, headers.host));
    const { access } = input.body;
    const { client, redirectAddress } = request;
    if (access === null) {
      await audit.record({ resourceId: client.id, after: { clientName: client.name, redirectAddress, access } });
      return { redirectAddress: request.answerWith({ error: 'access_denied' }) };
    }
    if (!request.accesses.includes(access)) throw accessNotRequested();
    const { id, code } = await connections.connect(request, principal.user, access);
    await audit.record({ resourceId: id, after: { clientName: client.name, redirectAddress, access } });
    return { redirectAddress: request.answerWith({ code }) };
  });

  bind(workflowContract.deleteConnection, ({ input, principal }) =>
    connections.disconnect(principal.id, input.params.connectionId),
  );
}

function presentConnection(connection: NamedConnection): ClientConnection {
  const { id, clientName, redirectAddress, access, createdAt, lastUsedAt, expiresAt } = connection;
  return {
    id,
    clientName,
    redirectAddress,
    access,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

function accessNotRequested(): AppError {
  return new AppError('invalid_request', 'The chat client has asked for less.', { reason: 'client_request_invalid' });
}

function sessionRequired(): AppError {
  return new AppError('forbidden', 'Only a person in a browser can connect a chat client.', {
    reason: 'session_required',
  });
}
