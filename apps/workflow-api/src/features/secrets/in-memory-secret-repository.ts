import { secretChanged, secretNotFound, secretRefTaken } from './secret-errors';
import { byRef, type SecretRepository, type VersionKey } from './secret-repository';
import type { SecretVersion, StoredSecret } from './stored-secret';

/** Creates a repository for specs. It passes the same contract suite as the Prisma repository. */
export function createInMemorySecretRepository(given: readonly StoredSecret[] = []): SecretRepository {
  const rows = new Map(given.map((secret) => [secret.id, secret]));
  const versions = new Map<string, SecretVersion>();
  const existing = (id: string): StoredSecret => {
    const secret = rows.get(id);
    if (secret === undefined) throw secretNotFound(id);
    return secret;
  };
  const put = (secret: StoredSecret): StoredSecret => {
    rows.set(secret.id, secret);
    return secret;
  };
  const find = (workspace: string | undefined, ref: string) =>
    [...rows.values()].find((secret) => secret.workspace === workspace && secret.ref === ref);
  // The functions are async, so that a refusal is a rejection as with a database.
  return {
    list: (workspace, { limit, offset }) => {
      const all = [...rows.values()].filter((secret) => secret.workspace === workspace).toSorted(byRef);
      return Promise.resolve({ secrets: all.slice(offset, offset + limit), total: all.length });
    },
    findById: (id) => Promise.resolve(rows.get(id)),
    findByRef: (workspace, ref) => Promise.resolve(find(workspace, ref)),
    listOwners: (refs) =>
      Promise.resolve([...rows.values()].filter(({ workspace, ref }) => workspace !== undefined && refs.includes(ref))),
    insert: async (secret, version) => {
      if (find(secret.workspace, secret.ref) !== undefined) throw secretRefTaken(secret.ref);
      put(secret);
      if (version !== undefined) await Promise.resolve(versions.set(keyOf(version), version));
    },
    update: async (id, changes) => Promise.resolve(put({ ...existing(id), ...changes })),
    addVersion: async (version, keep) => {
      const { secretId, number, createdAt } = version;
      const secret = existing(secretId);
      if (secret.currentVersion !== number - 1) throw secretChanged();
      versions.set(keyOf(version), version);
      for (let old = number - keep; old > 0; old -= 1) versions.delete(keyOf({ secretId, number: old }));
      const changed = { ...secret, currentVersion: number, updatedAt: createdAt, lastRotatedAt: createdAt };
      return Promise.resolve(put(changed));
    },
    findVersion: (key) => Promise.resolve(versions.get(keyOf(key))),
    listVersions: (after, limit) => {
      const isLater = (version: SecretVersion) => after === undefined || byKey(version, after) > 0;
      return Promise.resolve([...versions.values()].filter(isLater).toSorted(byKey).slice(0, limit));
    },
    reseal: (version, sealed) => {
      const present = versions.get(keyOf(version));
      if (present?.text !== version.text) return Promise.resolve(false);
      versions.set(keyOf(version), { ...present, keyId: sealed.keyId, text: sealed.text });
      return Promise.resolve(true);
    },
    noteUse: (id, at) => {
      const secret = rows.get(id);
      if (secret !== undefined) put({ ...secret, lastResolvedAt: at });
      return Promise.resolve();
    },
    remove: async (id) => {
      existing(id);
      rows.delete(id);
      for (const [key, { secretId }] of versions) if (secretId === id) await Promise.resolve(versions.delete(key));
    },
  };
}

function keyOf({ secretId, number }: VersionKey): string {
  return `${secretId} ${number}`;
}

function byKey(left: VersionKey, right: VersionKey): number {
  if (left.secretId !== right.secretId) return left.secretId < right.secretId ? -1 : 1;
  return left.number - right.number;
}
