import type { Clock } from '@weir/workflow-engine/model';
import type { RequestHandler } from 'express';
import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import type { User } from '../../access/user';
import type { RandomSource } from '../../adapters/random-source';
import type { AuditTrail } from '../audit';
import type { ChatClientRepository } from './chat-client-repository';
import { bindConnectionRoutes } from './connection-routes';
import { createConnectionService } from './connection-service';
import { createOauthPages, resourceMetadataOf } from './oauth-pages';
import { createOwnAddress, type OwnAddressOptions } from './own-address';
import { createRegisterClient } from './register-client';

export interface ChatClientsPorts {
  readonly chatClients: ChatClientRepository;
  readonly address: OwnAddressOptions;
  readonly findUser: (id: string) => Promise<User | undefined>;
  /** Fetches the description of a chat client; throws `client_unknown`. */
  readonly fetchDocument: (address: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Chat clients that sign in with OAuth, and what people have connected. */
export interface ChatClients {
  bindRoutes(bind: Bind): void;
  /** Returns the principal of an access token. */
  authenticate(token: string): Promise<Principal | undefined>;
  /** Creates the endpoints of OAuth, at the root of the server. */
  createPages(ports: { readonly audit: Pick<AuditTrail, 'openRecord'> }): RequestHandler;
  /** Where a chat client without a token learns how to sign in; missing where it cannot. */
  findMetadataAddress(host: string | undefined): string | undefined;
}

export function createChatClients(ports: ChatClientsPorts): ChatClients {
  const { chatClients: clients, findUser, fetchDocument, clock, random } = ports;
  const ownAddress = createOwnAddress(ports.address);
  const connections = createConnectionService({ clients, findUser, fetchDocument, ownAddress, clock, random });
  const registerClient = createRegisterClient({ clients, clock, random });
  return {
    bindRoutes: (bind) => bindConnectionRoutes(bind, { connections, ownAddress }),
    authenticate: (token) => connections.authenticate(token),
    createPages: ({ audit }) =>
      createOauthPages({ basePath: ports.address.basePath, connections, registerClient, ownAddress, audit }),
    findMetadataAddress: (host) => {
      const issuer = ownAddress.issuerFor(host);
      return issuer === undefined ? undefined : resourceMetadataOf(issuer);
    },
  };
}
