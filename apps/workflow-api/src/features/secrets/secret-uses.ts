import { workflowContract } from '@weir/workflow-contract';
import { canSee } from '../../access/access-rules';
import type { Principal } from '../../access/principal';
import { hasScope } from '../../access/scopes';
import type { DagCatalog, DagEntry } from '../dags';
import type { SecretRepository } from './secret-repository';
import type { StoredSecret } from './stored-secret';

/** The DAGs whose runs get a secret. */
export interface SecretUses {
  /** By name, at most {@link maxDags}. */
  readonly dags: readonly DagEntry[];
  readonly total: number;
}

export interface SecretUsesPorts {
  readonly secrets: Pick<SecretRepository, 'listOwners'>;
  readonly catalog: { readonly entries: Pick<DagCatalog['entries'], 'all'> } & Pick<DagCatalog, 'ready'>;
}

export type FindSecretUses = ReturnType<typeof createSecretUses>;

const maxDags = 50;

/**
 * Finds the DAGs that take secrets, among those that the principal sees, in one pass over the index of DAGs. A shared
 * secret is not taken by DAGs of workspaces that have one of the same ref. Throws `dags_loading`.
 */
export function createSecretUses({ secrets, catalog }: SecretUsesPorts) {
  return async (
    found: readonly StoredSecret[],
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<StoredSecret, SecretUses>> => {
    await catalog.ready(signal);
    const refs = new Set(found.map(({ ref }) => ref));
    const owners = new Set((await secrets.listOwners([...refs])).map(keyOf));
    const users = new Map<string, DagEntry[]>();
    // A key that may not list DAGs learns no names of them here.
    const visible = hasScope(principal, workflowContract.listDags) ? catalog.entries.all() : [];
    for (const entry of visible) {
      const taken = new Set(entry.secrets.map(({ ref }) => ref).filter((ref) => refs.has(ref)));
      if (taken.size === 0 || !canSee(principal, entry.dag.workspace)) continue;
      for (const ref of taken) {
        const own = keyOf({ workspace: entry.dag.workspace, ref });
        const key = owners.has(own) ? own : keyOf({ workspace: undefined, ref });
        users.set(key, [...(users.get(key) ?? []), entry]);
      }
    }
    return new Map(
      found.map((secret) => {
        const dags = users.get(keyOf(secret)) ?? [];
        return [secret, { dags: dags.slice(0, maxDags), total: dags.length }];
      }),
    );
  };
}

function keyOf({ workspace = '', ref }: Pick<StoredSecret, 'workspace' | 'ref'>): string {
  return `${workspace}:${ref}`;
}
