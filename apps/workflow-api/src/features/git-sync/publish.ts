import type { Requester } from '../../access/audited-operation';
import type { Principal } from '../../access/principal';
import { newStoredItem, type ComparedItem } from './comparison';
import type { CommittedFile, Identity } from './commit-stream';
import { publishedVersion } from './file-state';
import { gitHash } from './git-hash';
import type { StoredItem } from './git-sync-store';
import type { LocalFiles } from './local-files';
import { itemChanged, itemNotFound, repositoryFailed, syncConflict, syncPullOnly } from './sync-errors';
import type { Fetched, SyncSession } from './sync-session';

export interface Publication extends Requester {
  /** Default: every file that was changed here. */
  readonly itemIds?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly isForced: boolean;
  /** Whether a conflict is an error; otherwise the file is skipped and listed. */
  readonly failsOnConflict: boolean;
}

export interface Published {
  /** Missing where there was nothing to publish. */
  readonly commit?: string;
  readonly synced: readonly string[];
  readonly conflicts: readonly string[];
}

/** The changes of a commit, planned from what was fetched just before. */
export interface PlannedCommit<Plan> {
  readonly plan: Plan;
  readonly files: readonly CommittedFile[];
  readonly message: string;
}

export interface PushedCommit<Plan> extends PlannedCommit<Plan> {
  readonly author: Identity;
  /** Missing where there was nothing to commit. */
  readonly commit?: string;
}

const maxAttempts = 5;

/**
 * Publishes changes of this server in one commit on top of the branch. Throws `sync_pull_only`, `sync_item_not_found`,
 * `sync_item_changed`, `sync_conflict`, `sync_push_refused` or `sync_repository_failed`.
 */
export async function publish(
  session: SyncSession,
  { files, now }: { readonly files: LocalFiles; readonly now: Date },
  publication: Publication,
): Promise<Published> {
  const pushed = await commitAndPush(session, { principal: publication.principal, now }, async (fetched) => {
    const { chosen, conflicts } = choose(fetched, publication);
    const texts = await readChosen(files, chosen);
    const committed = chosen.map((item): CommittedFile => ({
      path: repositoryPath(session, item.filePath),
      text: texts.get(item.itemId),
      mode: fetched.tree.files.get(item.itemId)?.mode,
    }));
    const message = publication.message ?? describe('Update', chosen);
    return { plan: { chosen, conflicts, texts }, files: committed, message };
  });
  const { chosen, conflicts, texts } = pushed.plan;
  if (pushed.commit === undefined) return { synced: [], conflicts };
  const { commit, author, message } = pushed;
  const put = chosen.map((item): StoredItem => {
    const hash = gitHash(texts.get(item.itemId) ?? '');
    return {
      ...(item.stored ?? newStoredItem(item, item.filePath)),
      baseHash: hash,
      baseCommit: commit,
      baseAt: now,
      remoteHash: hash,
      remoteCommit: commit,
      remoteAuthor: author.name,
      remoteMessage: message.split('\n', 1)[0] ?? '',
    };
  });
  await session.settle({ put, commit });
  for (const item of chosen) await files.record(item, texts.get(item.itemId), publication);
  return { commit, synced: chosen.map(({ itemId }) => itemId), conflicts };
}

/** Makes a commit on top of the branch, and repeats it when the branch was pushed to meanwhile. */
export async function commitAndPush<Plan>(
  session: SyncSession,
  { principal, now }: { readonly principal: Principal; readonly now: Date },
  plan: (fetched: Fetched) => Promise<PlannedCommit<Plan>>,
  undo: (plan: Plan) => Promise<void> = () => Promise.resolve(),
): Promise<PushedCommit<Plan>> {
  if (!session.settings.pushEnabled) throw syncPullOnly();
  const { authorName: name, authorEmail: email } = session.settings.commit;
  const author = authorOf(principal, email);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const fetched = await session.fetch();
    const planned = await plan(fetched);
    const { files, message } = planned;
    if (files.length === 0) return { ...planned, author };
    const order = { parent: fetched.commit, author, committer: { name, email }, message, at: now, files };
    try {
      const commit = await session.mirror.push(order);
      if (commit !== undefined) return { ...planned, author, commit };
    } catch (error) {
      await undo(planned.plan);
      throw error;
    }
    await undo(planned.plan);
  }
  throw repositoryFailed('others push all the time.');
}

function choose({ items }: Fetched, { itemIds, isForced, failsOnConflict }: Publication) {
  const wanted = itemIds?.map((itemId) => findItem(items, itemId)) ?? [...items.values()];
  const chosen: ComparedItem[] = [];
  const conflicts: string[] = [];
  for (const item of wanted) {
    const result = publishedVersion(item, isForced);
    if (typeof result === 'object') chosen.push(item);
    if (result === 'conflict' && failsOnConflict) throw conflictOf(item);
    if (result === 'conflict') conflicts.push(item.itemId);
    if (result === 'missing' && itemIds !== undefined) throw itemNotFound(item.itemId);
  }
  return { chosen, conflicts };
}

async function readChosen(files: LocalFiles, chosen: readonly ComparedItem[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const item of chosen) {
    const text = await files.readText(item);
    if (text === undefined) throw itemChanged(item.itemId, 'cannot be read as text.');
    texts.set(item.itemId, text);
  }
  return texts;
}

/** Throws `sync_item_not_found` for a file that is not here and never was. */
export function findItem(items: ReadonlyMap<string, ComparedItem>, itemId: string): ComparedItem {
  const item = items.get(itemId);
  if (item?.status === undefined) throw itemNotFound(itemId);
  return item;
}

export function conflictOf({ itemId, stored }: ComparedItem) {
  return syncConflict({
    itemId,
    remoteCommit: stored?.remoteCommit ?? undefined,
    remoteAuthor: stored?.remoteAuthor ?? undefined,
    remoteMessage: stored?.remoteMessage ?? undefined,
  });
}

/**
 * Records a change of the repository, or of what is known of it, for each file, in the workspace of its content here, or of
 * the last one that the repository had.
 */
export async function recordItems(
  { mirror }: SyncSession,
  files: LocalFiles,
  { items, ...requester }: Requester & { readonly items: readonly ComparedItem[] },
): Promise<void> {
  for (const item of items) {
    const hash = item.remote ?? item.base;
    const former = async () => (hash === undefined ? undefined : (await mirror.readTexts([hash])).get(hash));
    await files.record(item, item.local === undefined ? await former() : await files.readText(item), requester);
  }
}

export function repositoryPath({ settings: { path } }: Pick<SyncSession, 'settings'>, filePath: string): string {
  return path === '' ? filePath : `${path}/${filePath}`;
}

/** The message of a commit for which none was given. */
export function describe(verb: string, items: readonly { readonly itemId: string }[]): string {
  const [first] = items;
  return items.length === 1 && first !== undefined ? `${verb} ${first.itemId}` : `${verb} ${items.length} files`;
}

/** The author is the signed-in person, with an address at the committer's host. */
function authorOf({ name }: Principal, committerEmail: string): Identity {
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(name)) return { name, email: name };
  const local = name.replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return { name, email: `${local}@${committerEmail.slice(committerEmail.lastIndexOf('@') + 1)}` };
}
