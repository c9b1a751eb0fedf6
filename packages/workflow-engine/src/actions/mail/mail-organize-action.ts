import type { ImapFlow } from 'imapflow';
import type { JsonValue } from '@weir/workflow-spec';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor } from '../call/action-executor';
import { publishValues } from '../call/publish-values';
import { withImap } from './imap-session';
import { parseMailId, type MailPlace } from './mail-id';
import { findMailbox } from './mailbox';

type Settings = SettingsFor<'mail.organize'>;

interface Item {
  readonly id: string;
  readonly place: MailPlace;
  /** The folder that the mail is moved to, if it names its own. */
  readonly moveTo: string | undefined;
}

const maxItems = 1_000;
const marks = {
  read: ['messageFlagsAdd', '\\Seen'],
  unread: ['messageFlagsRemove', '\\Seen'],
  flagged: ['messageFlagsAdd', '\\Flagged'],
  unflagged: ['messageFlagsRemove', '\\Flagged'],
} as const;

/** Marks and moves mails. Nothing is ever deleted: a server that cannot move is not asked to copy and delete. */
export const mailOrganize: ActionExecutor<'mail.organize'> = async (work) => {
  const { call, settings, signal, log } = work;
  const mailbox = findMailbox(call);
  const items = readItems(settings.emails);
  if (settings.move === 'folder' && settings.folder === undefined && items.some(({ moveTo }) => moveTo === undefined)) {
    throw actionFailed('folder is required, unless every item has move_to.');
  }
  const missing: string[] = [];
  let changed = 0;
  if (items.length > 0) {
    await withImap(mailbox, work, async (client) => {
      const destination = await findDestination(client, settings);
      for (const [folder, group] of Map.groupBy(items, ({ place }) => place.folder)) {
        signal.throwIfAborted();
        const present = await findPresent(client, group, { folder, readOnly: settings.dry_run === true });
        missing.push(...group.filter((item) => !present.includes(item)).map(({ id }) => id));
        if (settings.dry_run !== true) await change(client, present, { settings, destination });
        changed += present.length;
      }
    });
  }
  log.line(`${settings.dry_run === true ? 'would change' : 'changed'} ${changed} mails, ${missing.length} missing`);
  return publishValues({ changed, missing }, call.maxOutputBytes);
};

/** Each mail once; of an ID that is given twice, the last counts. */
function readItems(emails: JsonValue): readonly Item[] {
  const given = typeof emails === 'string' ? decode(emails) : emails;
  const list: readonly JsonValue[] = isList(given) ? given : [given];
  if (list.length > maxItems) throw actionFailed(`emails contains more than ${maxItems} items.`);
  return [...new Map(list.map((each) => readItem(each)).map((item) => [item.id, item])).values()];
}

function decode(text: string): JsonValue {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function readItem(item: JsonValue): Item {
  const fields: JsonValue = typeof item === 'string' ? { id: item } : item;
  if (fields === null || typeof fields !== 'object' || isList(fields)) throw malformed();
  const { id, move_to: moveTo } = fields;
  const place = typeof id === 'string' ? parseMailId(id.trim()) : undefined;
  if (typeof id !== 'string' || place === undefined) throw malformed();
  if (moveTo !== undefined && (typeof moveTo !== 'string' || moveTo === '')) {
    throw actionFailed('move_to of an item is not the name of a folder.');
  }
  return { id: id.trim(), place, moveTo };
}

function malformed() {
  return actionFailed('emails holds something that is no ID of a mail, and no object with one.');
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The folder of all mails that name none; `undefined` when nothing is moved. */
async function findDestination(client: ImapFlow, { move, folder }: Settings): Promise<string | undefined> {
  if (move === undefined) return undefined;
  if (client.capabilities.get('MOVE') !== true) {
    throw actionFailed('The mail server cannot move mail (it lacks the IMAP extension MOVE).');
  }
  if (move === 'folder') return folder;
  const folders = await client.list();
  const uses = move === 'trash' ? ['\\Trash'] : ['\\Archive', '\\All'];
  const found = uses.map((use) => folders.find(({ specialUse }) => specialUse === use)).find((each) => each);
  if (found === undefined) throw actionFailed(`The mail server names no folder for ${move}.`);
  return found.path;
}

/** Opens the folder of the items. None of them is there when the folder is gone or was made anew. */
async function findPresent(
  client: ImapFlow,
  group: readonly Item[],
  { folder, readOnly }: { readonly folder: string; readonly readOnly: boolean },
): Promise<readonly Item[]> {
  const opened = await client.mailboxOpen(folder, { readOnly }).catch((error: unknown) => {
    if (error instanceof Error && 'mailboxMissing' in error && error.mailboxMissing === true) return undefined;
    throw error;
  });
  if (opened === undefined) return [];
  const current = group.filter(({ place }) => place.uidValidity === String(opened.uidValidity));
  if (current.length === 0) return [];
  const uids = await client.search({ uid: toRange(current) }, { uid: true });
  if (!Array.isArray(uids)) throw actionFailed('The mail server refused the search.');
  return current.filter(({ place }) => uids.includes(place.uid));
}

async function change(
  client: ImapFlow,
  items: readonly Item[],
  { settings, destination }: { readonly settings: Settings; readonly destination: string | undefined },
): Promise<void> {
  if (items.length === 0) return;
  const { mark, move } = settings;
  if (mark !== undefined) {
    const [method, flag] = marks[mark];
    if (!(await client[method](toRange(items), [flag], { uid: true }))) {
      throw actionFailed('The mail server refused to mark the mails.');
    }
  }
  if (move === undefined) return;
  const byFolder = Map.groupBy(items, ({ moveTo }) => (move === 'folder' ? moveTo : undefined) ?? destination ?? '');
  for (const [folder, group] of byFolder) {
    // The mails are where they should be.
    if (folder === group[0]?.place.folder) continue;
    if (move === 'folder') await client.mailboxCreate(folder);
    if ((await client.messageMove(toRange(group), folder, { uid: true })) === false) {
      throw actionFailed('The mail server refused to move the mails.');
    }
  }
}

function toRange(items: readonly Item[]): string {
  return items.map(({ place }) => place.uid).join(',');
}
