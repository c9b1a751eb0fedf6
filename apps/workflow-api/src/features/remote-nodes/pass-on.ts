import { fillPath } from '@weir/api-client';
import type { Endpoint } from '@weir/http-contract';
import type { AdmittedCall, PassedAnswer } from '@weir/service-kit';
import { objectRoles, roles, takesRemoteNode, type UserRole } from '@weir/workflow-contract';
import { requireRoleEverywhere } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { readNodeAnswer } from './node-answer';
import { hopsHeader, requestNode } from './node-request';
import type { NodeHealth } from './node-health';
import type { ReachableNode } from './reach-node';
import { remoteNodeLoop, remoteNodeUnknown, remoteNodeUnsupported } from './remote-node-errors';

/** Passes calls of this server on to the node that they name. */
export type PassOn = (call: AdmittedCall<Principal>) => Promise<PassedAnswer | undefined>;

export interface PassOnPorts {
  /** Only registered nodes are found: requests cannot be sent to other servers. */
  readonly findNode: (name: string) => Promise<ReachableNode | undefined>;
  readonly health: Pick<NodeHealth, 'note'>;
}

/** Headers of a request that an operation may depend on. All other headers, including credentials, are not sent. */
const passedHeaders = ['accept', 'if-match', 'range', 'last-event-id'] as const;
/** Parameters for this server: the node, and the credential of a stream. */
const ownParameters = ['remoteNode', 'token'] as const;

export function createPassOn({ findNode, health }: PassOnPorts): PassOn {
  return async ({ endpoint, principal, req, signal }) => {
    const name = namedNode(req.query.remoteNode);
    if (name === undefined) return undefined;
    if (!takesRemoteNode(endpoint)) {
      if (isAboutSession(endpoint)) return undefined;
      throw remoteNodeUnsupported(endpoint.operationId);
    }
    // Objects of a node are in workspaces of the node, in which callers have no roles here.
    requireRoleEverywhere(principal, roleFor(endpoint));
    if (req.get(hopsHeader) !== undefined) throw remoteNodeLoop();
    const node = await findNode(name);
    if (node === undefined) throw remoteNodeUnknown(name);
    return health.note(name, async () => {
      const response = await requestNode(node, {
        method: endpoint.method,
        path: toPath(endpoint, req),
        headers: toHeaders(req),
        body: endpoint.body !== undefined && Buffer.isBuffer(req.body) ? req.body : undefined,
        signal,
      });
      return readNodeAnswer(node, endpoint, response);
    });
  };
}

/** For an application without remote nodes: calls that name a node are refused. */
export const refuseOtherNodes: PassOn = createPassOn({
  findNode: () => Promise.resolve(undefined),
  health: { note: (_, request) => request() },
});

/** Returns the weakest role that permits the operation on everything. */
export function roleFor({ operationId, access, method, audit }: Endpoint): UserRole {
  const needed = objectRoles[operationId];
  if (needed !== undefined) return needed;
  const weakest = typeof access === 'string' ? undefined : roles.findLast((role) => access.includes(role));
  if (weakest !== undefined) return weakest;
  return method === 'GET' || audit === 'no-change' ? 'viewer' : 'developer';
}

/** Clients send the parameter with these operations too, which are always about the called server. */
function isAboutSession({ tag, access, query }: Endpoint): boolean {
  return (tag === 'auth' || access === 'public') && query?.shape.remoteNode === undefined;
}

function namedNode(value: unknown): string | undefined {
  if (value === undefined || value === '' || value === 'local') return undefined;
  return typeof value === 'string' ? value : '';
}

/** Builds the path from its parts, so that no spelling of an address leads out of the API of the node. */
function toPath({ path }: Endpoint, { params, url }: AdmittedCall<Principal>['req']): string {
  const query = new URL(url, 'http://local').searchParams;
  for (const name of ownParameters) query.delete(name);
  const text = query.toString();
  return `${fillPath(path, params)}${text === '' ? '' : `?${text}`}`;
}

function toHeaders(req: AdmittedCall<Principal>['req']): Record<string, string> {
  return Object.fromEntries(
    passedHeaders.flatMap((name) => {
      const value = req.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
