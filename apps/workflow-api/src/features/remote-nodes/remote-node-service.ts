import type { CreateRemoteNodeRequest, UpdateRemoteNodeRequest } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealed, Sealer } from '../../encryption';
import type { Principal } from '../../access/principal';
import type { NodeHealth } from './node-health';
import { reachConfigured, reachStored, type ReachableNode } from './reach-node';
import {
  byNodeName,
  nodeSealContext,
  type ConfiguredNode,
  type NodeCredentials,
  type RemoteNodeRepository,
  type StoredNode,
} from './remote-node';
import { credentialsMissing, remoteNodeConfigured, remoteNodeNotFound } from './remote-node-errors';

export interface RemoteNodeServicePorts {
  readonly remoteNodes: RemoteNodeRepository;
  readonly configured: readonly ConfiguredNode[];
  readonly health: NodeHealth;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, 'uuid'>;
}

export type AnyNode = StoredNode | ConfiguredNode;
export type RemoteNodeService = ReturnType<typeof createRemoteNodeService>;

/** Ids of configured nodes have this prefix. */
export const configuredPrefix = 'cfg:';

export function createRemoteNodeService(ports: RemoteNodeServicePorts) {
  const { remoteNodes, configured, sealer } = ports;
  const findConfigured = (id: string): ConfiguredNode | undefined =>
    configured.find(({ name }) => `${configuredPrefix}${name}` === id);
  const get = async (id: string): Promise<AnyNode> => {
    const found = findConfigured(id) ?? (await remoteNodes.findById(id));
    if (found === undefined) throw remoteNodeNotFound(id);
    return found;
  };
  const reach = (node: AnyNode): Promise<ReachableNode> =>
    'id' in node ? reachStored(node, sealer) : Promise.resolve(reachConfigured(node));
  const list = async (): Promise<readonly AnyNode[]> => {
    const stored = await remoteNodes.list();
    const names = new Set(stored.map(({ name }) => name));
    return [...stored, ...configured.filter(({ name }) => !names.has(name))].toSorted(byNodeName);
  };

  return {
    get,
    reach,
    /** A stored node replaces a configured one of its name. */
    list,
    listNames: async (): Promise<string[]> => (await list()).map(({ name }) => name),

    async findNode(name: string): Promise<ReachableNode | undefined> {
      const found = (await remoteNodes.findByName(name)) ?? configured.find((node) => node.name === name);
      return found && reach(found);
    },

    ...createNodeChanges(ports, get),
  };
}

function createNodeChanges(ports: RemoteNodeServicePorts, get: (id: string) => Promise<AnyNode>) {
  const { remoteNodes, health, sealer, clock, random } = ports;
  const getStored = async (id: string): Promise<StoredNode> => {
    const found = await get(id);
    if (!('id' in found)) throw remoteNodeConfigured(found.name);
    return found;
  };
  const seal = async (id: string, credentials: NodeCredentials): Promise<Sealed | undefined> =>
    credentials === undefined ? undefined : sealer.seal(JSON.stringify(credentials), nodeSealContext(id));

  return {
    async create(request: CreateRemoteNodeRequest, principal: Principal): Promise<StoredNode> {
      const { name, description = '', apiBaseUrl, authType, skipTlsVerify } = request;
      const id = random.uuid();
      const now = clock.now();
      const node: StoredNode = {
        id,
        name,
        description,
        authType,
        skipTlsVerify,
        apiBaseUrl: withoutSlash(apiBaseUrl),
        sealed: await seal(id, readCredentials(authType, request)),
        createdAt: now,
        updatedAt: now,
        createdBy: principal.id,
      };
      await remoteNodes.insert(node);
      health.forget(name);
      return node;
    },

    async update(id: string, request: UpdateRemoteNodeRequest) {
      const before = await getStored(id);
      const { name, description, skipTlsVerify, authType = before.authType } = request;
      const apiBaseUrl = withoutSlash(request.apiBaseUrl ?? before.apiBaseUrl);
      const keepsCredentials =
        authType === before.authType && isSameServer(apiBaseUrl, before.apiBaseUrl) && !hasAny(request);
      const sealed = keepsCredentials ? undefined : await seal(id, readCredentials(authType, request));
      const after = await remoteNodes.update(id, {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description }),
        ...(skipTlsVerify === undefined ? {} : { skipTlsVerify }),
        apiBaseUrl,
        authType,
        sealed,
        updatedAt: clock.now(),
      });
      for (const known of [before.name, after.name]) health.forget(known);
      return { before, after };
    },

    /** Returns the removed node. */
    async remove(id: string): Promise<StoredNode> {
      await getStored(id);
      const removed = await remoteNodes.remove(id);
      health.forget(removed.name);
      return removed;
    },
  };
}

type Given = Pick<UpdateRemoteNodeRequest, 'basicAuthUsername' | 'basicAuthPassword' | 'authToken'>;

/**
 * Returns the credentials that the kind needs. Credentials for one server are never sent to another, so they must be
 * given again with a new address.
 */
function readCredentials(authType: StoredNode['authType'], given: Given): NodeCredentials {
  const { basicAuthUsername: username = '', basicAuthPassword: password = '', authToken: token = '' } = given;
  if (authType === 'none') return undefined;
  if (authType === 'token') {
    if (token === '') throw credentialsMissing('"authToken"');
    return { token };
  }
  if (username === '' || password === '') throw credentialsMissing('"basicAuthUsername" and "basicAuthPassword"');
  return { username, password };
}

function hasAny({ basicAuthUsername, basicAuthPassword, authToken }: Given): boolean {
  return [basicAuthUsername, basicAuthPassword, authToken].some((value) => value !== undefined && value !== '');
}

function isSameServer(left: string, right: string): boolean {
  return new URL(left).origin === new URL(right).origin;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
