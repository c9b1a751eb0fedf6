import { isAppError } from '@weir/foundation';
import type { SyncResultResponse } from '@weir/workflow-contract/schemas';
import type { Requester } from '../../access/audited-operation';
import type { ComparedItem } from './comparison';
import type { LocalFiles } from './local-files';
import type { RemoteProblem, RemoteTree } from './remote-tree';
import type { SyncSession } from './sync-session';

export interface Pulled {
  readonly commit: string | undefined;
  /** Ids of the files that were changed here. */
  readonly synced: readonly string[];
  readonly modified: readonly string[];
  readonly conflicts: readonly string[];
  readonly problems: readonly RemoteProblem[];
}

/** Limits the bytes of the texts that are held in memory at a time. */
const batchBytes = 8_388_608;

/** Copies files that are new in the repository and unchanged here. A crash leaves each file either old or new. */
export async function pull(session: SyncSession, files: LocalFiles, requester: Requester): Promise<Pulled> {
  const { commit, tree, items } = await session.fetch();
  const incoming = [...items.values()].filter(({ state }) => state === 'incoming');
  const synced: string[] = [];
  const problems: RemoteProblem[] = [...tree.problems];
  for (const batch of inBatches(incoming, tree)) {
    const texts = await session.mirror.readTexts(batch.flatMap(({ remote }) => remote ?? []));
    for (const item of batch) {
      const problem = await apply(files, item, { texts, ...requester });
      if (problem === undefined) synced.push(item.itemId);
      else problems.push({ itemId: item.itemId, message: problem });
    }
  }
  const left = [...(await session.settle()).values()];
  const idsOf = (...states: readonly ComparedItem['state'][]) =>
    left.filter(({ state }) => states.includes(state)).map(({ itemId }) => itemId);
  return { commit, synced, modified: idsOf('modified', 'untracked'), conflicts: idsOf('conflict'), problems };
}

interface Applied extends Requester {
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns the problems, for people. A file that cannot be written does not affect the others. */
async function apply(
  files: LocalFiles,
  item: ComparedItem,
  { texts, ...requester }: Applied,
): Promise<string | undefined> {
  const text = item.remote === undefined ? undefined : texts.get(item.remote);
  if (item.remote !== undefined && text === undefined) return 'The file of the repository is not UTF-8 text.';
  try {
    await files.accept(item, { text, expected: item.local, ...requester });
    return undefined;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.message;
  }
}

function inBatches(items: readonly ComparedItem[], tree: RemoteTree): readonly (readonly ComparedItem[])[] {
  const batches: ComparedItem[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = tree.files.get(item.itemId)?.size ?? 0;
    if (bytes + size > batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    bytes += size;
    batches.at(-1)?.push(item);
  }
  return batches;
}

export function presentPull(pulled: Pulled, now: Date): SyncResultResponse {
  const { synced, modified, conflicts, problems } = pulled;
  const parts = [
    `${synced.length} pulled`,
    ...(conflicts.length === 0 ? [] : [`${conflicts.length} in conflict`]),
    ...(problems.length === 0 ? [] : [`${problems.length} failed`]),
  ];
  return {
    success: conflicts.length === 0 && problems.length === 0,
    message: `${parts.join(', ')}.`,
    synced: [...synced],
    modified: [...modified],
    conflicts: [...conflicts],
    errors: problems.map((problem) => ({ ...problem })),
    timestamp: now.toISOString(),
  };
}
