import { remoteNodeNameTaken, remoteNodeNotFound } from './remote-node-errors';
import { byNodeName, nodeSealContext, type RemoteNodeRepository, type StoredNode } from './remote-node';

export function createInMemoryRemoteNodeRepository(given: readonly StoredNode[] = []): RemoteNodeRepository {
  const rows = new Map(given.map((node) => [node.id, node]));
  const get = (id: string): StoredNode => {
    const row = rows.get(id);
    if (row === undefined) throw remoteNodeNotFound(id);
    return row;
  };
  const put = (node: StoredNode): StoredNode => {
    if ([...rows.values()].some(({ id, name }) => name === node.name && id !== node.id)) {
      throw remoteNodeNameTaken(node.name);
    }
    rows.set(node.id, node);
    return node;
  };
  return {
    list: () => Promise.resolve([...rows.values()].toSorted(byNodeName)),
    findById: (id) => Promise.resolve(rows.get(id)),
    findByName: (name) => Promise.resolve([...rows.values()].find((node) => node.name === name)),
    // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
    insert: async (node) => void put(node),
    // oxlint-disable-next-line typescript/require-await -- as above
    update: async (id, { sealed, ...changes }) => {
      const before = get(id);
      const kept = changes.authType === 'none' ? undefined : (sealed ?? before.sealed);
      return put({ ...before, ...changes, sealed: kept });
    },
    // oxlint-disable-next-line typescript/require-await -- as above
    remove: async (id) => {
      const before = get(id);
      rows.delete(id);
      return before;
    },
    listSealed: () =>
      Promise.resolve(
        [...rows.values()].flatMap(({ id, sealed }) =>
          sealed === undefined ? [] : [{ id, context: nodeSealContext(id), sealed }],
        ),
      ),
    replaceSealed: ({ id, sealed: expected }, sealed) => {
      const row = rows.get(id);
      if (row?.sealed?.text !== expected.text || row.sealed.keyId !== expected.keyId) return Promise.resolve(false);
      rows.set(id, { ...row, sealed });
      return Promise.resolve(true);
    },
  };
}
