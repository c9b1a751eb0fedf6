import { translatePrismaError, type Database, type RemoteNode as Row } from '@weir/workflow-db';
import { remoteNodeNameTaken, remoteNodeNotFound } from './remote-node-errors';
import {
  byNodeName,
  nodeSealContext,
  type RemoteNodeRepository,
  type StoredNode,
  type StoredNodeChanges,
} from './remote-node';

export function createPrismaRemoteNodeRepository({ db }: Pick<Database, 'db'>): RemoteNodeRepository {
  return {
    // The order does not rely on the sorting rules of databases.
    list: async () => (await db.remoteNode.findMany()).map(fromRow).toSorted(byNodeName),
    findById: async (id) => optional(await db.remoteNode.findUnique({ where: { id } })),
    findByName: async (name) => optional(await db.remoteNode.findUnique({ where: { name } })),
    insert: async ({ sealed, ...node }) => {
      await db.remoteNode
        .create({ data: { ...node, ...toColumns(sealed) } })
        .catch((error: unknown) => rethrow(error, node));
    },
    update: async (id, { sealed, ...changes }) => {
      const data = { ...changes, ...(sealed === undefined ? {} : toColumns(sealed)) };
      // Without a kind of credentials there is nothing to encrypt.
      const cleared = changes.authType === 'none' ? toColumns(undefined) : {};
      return fromRow(
        await db.remoteNode
          .update({ where: { id }, data: { ...data, ...cleared } })
          .catch((error: unknown) => rethrow(error, { id, name: changes.name ?? '' })),
      );
    },
    remove: async (id) =>
      fromRow(
        await db.remoteNode.delete({ where: { id } }).catch((error: unknown) => rethrow(error, { id, name: '' })),
      ),
    listSealed: async () =>
      (await db.remoteNode.findMany()).flatMap(({ id, keyId, text }) =>
        keyId === null || text === null ? [] : [{ id, context: nodeSealContext(id), sealed: { keyId, text } }],
      ),
    replaceSealed: async ({ id, sealed }, { keyId, text }) =>
      (await db.remoteNode.updateMany({ where: { id, ...sealed }, data: { keyId, text } })).count > 0,
  };
}

function toColumns(sealed: StoredNodeChanges['sealed']): Pick<Row, 'keyId' | 'text'> {
  return sealed === undefined ? { keyId: null, text: null } : { keyId: sealed.keyId, text: sealed.text };
}

function optional(row: Row | null): StoredNode | undefined {
  return row === null ? undefined : fromRow(row);
}

/** Reads a row that the functions above have written. */
function fromRow({ keyId, text, authType, ...row }: Row): StoredNode {
  return {
    ...row,
    authType: authType as StoredNode['authType'],
    sealed: keyId === null || text === null ? undefined : { keyId, text },
  };
}

function rethrow(error: unknown, { id, name }: Pick<StoredNode, 'id' | 'name'>): never {
  const kind = translatePrismaError(error)?.kind;
  if (kind === 'not_found') throw remoteNodeNotFound(id);
  if (kind === 'unique') throw remoteNodeNameTaken(name);
  throw error;
}
