import type { Clock } from '@weir/workflow-engine/model';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import { roleIncludes } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { Principal } from '../../access/principal';
import { loadConfiguredNodes } from './configured-nodes';
import { createNodeHealth } from './node-health';
import { createPassOn, type PassOn } from './pass-on';
import { bindRemoteNodeRoutes } from './remote-node-routes';
import type { RemoteNodeRepository } from './remote-node';
import { createRemoteNodeService } from './remote-node-service';

/** Passes requests on to other servers. */
export interface RemoteNodes {
  readonly passOn: PassOn;
  /** Lists the names of the nodes that the caller may have requests passed to. */
  readonly listNodes: (principal: Principal) => Promise<string[]>;
  bindRoutes(bind: Bind): void;
}

export interface RemoteNodesPorts {
  readonly remoteNodes: RemoteNodeRepository;
  /** The path of a YAML file; undefined without configured nodes. */
  readonly nodesFile: string | undefined;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomSource;
}

/** Rejects with `remote_nodes_invalid` when the file cannot be used. */
export async function createRemoteNodes({ nodesFile, ...ports }: RemoteNodesPorts): Promise<RemoteNodes> {
  const configured = await loadConfiguredNodes(nodesFile);
  const health = createNodeHealth(ports.clock);
  const service = createRemoteNodeService({ ...ports, configured, health });
  return {
    passOn: createPassOn({ findNode: (name) => service.findNode(name), health }),
    listNodes: ({ workspaceAccess, role }) =>
      workspaceAccess.all && roleIncludes(role, 'viewer') ? service.listNames() : Promise.resolve([]),
    bindRoutes: (bind) => bindRemoteNodeRoutes(bind, service, health),
  };
}
