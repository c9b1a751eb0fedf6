import type { RemoteNodeAuthType } from '@weir/workflow-contract/schemas';
import type { Sealed, SealedRows } from '../../encryption';

/** The credentials that sign requests to a node. */
export type NodeCredentials =
  { readonly username: string; readonly password: string } | { readonly token: string } | undefined;

interface NodeSettings {
  readonly name: string;
  readonly description: string;
  /** The address has no trailing slash. */
  readonly apiBaseUrl: string;
  readonly authType: RemoteNodeAuthType;
  readonly skipTlsVerify: boolean;
}

/** A configured node; its administrator changes it in the configuration. */
export interface ConfiguredNode extends NodeSettings {
  readonly credentials: NodeCredentials;
  readonly timeoutMs: number;
}

/** A node that admins have registered. */
export interface StoredNode extends NodeSettings {
  readonly id: string;
  /** The encrypted credentials; missing without any. */
  readonly sealed: Sealed | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Id of the principal that registered it. */
  readonly createdBy: string;
}

export type StoredNodeChanges = Partial<Omit<StoredNode, 'id' | 'createdAt' | 'createdBy'>>;

export interface RemoteNodeRepository extends SealedRows {
  /** Lists by name. */
  list(): Promise<readonly StoredNode[]>;
  findById(id: string): Promise<StoredNode | undefined>;
  findByName(name: string): Promise<StoredNode | undefined>;
  /** Throws `remote_node_name_taken`. */
  insert(node: StoredNode): Promise<void>;
  /** Returns the node afterwards. Throws `remote_node_not_found` or `remote_node_name_taken`. */
  update(id: string, changes: StoredNodeChanges): Promise<StoredNode>;
  /** Returns the removed node. Throws `remote_node_not_found`. */
  remove(id: string): Promise<StoredNode>;
}

/** Returns the context for sealing credentials: those of one node cannot be opened as those of another. */
export function nodeSealContext(id: string): string {
  return `remote-node ${id}`;
}

export const byNodeName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : 1;
