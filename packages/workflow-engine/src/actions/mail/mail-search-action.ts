import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow';
import type { SettingsFor } from '@weir/workflow-spec/actions';
import { actionFailed } from '../../model/steps/action-errors';
import { durationMs } from '../../values/text/duration';
import type { ActionExecutor } from '../call/action-executor';
import { publishValues } from '../call/publish-values';
import { withImap } from './imap-session';
import { formatMailId } from './mail-id';
import { findMailbox } from './mailbox';
import {
  describeMail,
  listAttachments,
  readMailText,
  shorten,
  type FoundAttachment,
  type FoundMail,
} from './read-mail';
import { attachmentSaver } from './save-attachments';

type Settings = SettingsFor<'mail.search'>;

const defaultLimit = 20;
const batchSize = 100;
const dayMs = 86_400_000;
const maxPublishedBytes = 900 * 1024;
/** Left for what surrounds the mails in the outputs of a step. */
const reservedBytes = 64 * 1024;

/** Finds the oldest mails that match. The folder is opened for reading only, so that no flag changes. */
export const mailSearch: ActionExecutor<'mail.search'> = async (work) => {
  const { call, settings, services, signal, log } = work;
  const mailbox = findMailbox(call);
  const save = settings.save_attachments === true ? attachmentSaver(work) : undefined;
  const within = settings.within === undefined ? undefined : durationMs('within', settings.within, 0);
  const since = within === undefined ? undefined : new Date(services.clock.now().getTime() - within);
  const found = await withImap(mailbox, work, async (client) => {
    const { path: folder, uidValidity } = await client.mailboxOpen(settings.folder ?? 'INBOX', { readOnly: true });
    const mails: FoundMail[] = [];
    let isShortened = false;
    for (const message of await findMessages(client, settings, since)) {
      signal.throwIfAborted();
      const { uid } = message;
      const { text, isShortened: isCut } = await readMailText(client, uid);
      isShortened ||= isCut;
      const attachments: FoundAttachment[] = [];
      for (const part of listAttachments(message.bodyStructure)) {
        const { name, contentType, size } = part;
        attachments.push(save ? await save(client, uid, part) : { name, content_type: contentType, size });
      }
      const id = formatMailId({ folder, uidValidity: String(uidValidity), uid });
      mails.push({ id, folder, ...describeMail(message), text, attachments });
    }
    return { mails, isShortened };
  });
  const maxBytes = Math.max(0, Math.min(maxPublishedBytes, call.maxOutputBytes - reservedBytes));
  const { mails, isShortened } = fit(found.mails, maxBytes);
  log.line(`found ${mails.length} mails`);
  const truncated = found.isShortened || isShortened;
  const messages = mails.map((mail) => ({ ...mail, attachments: mail.attachments.map((each) => ({ ...each })) }));
  return publishValues({ messages, count: mails.length, truncated }, call.maxOutputBytes);
};

/** In the order in which the mails came into the folder, which is that of their numbers. */
async function findMessages(
  client: ImapFlow,
  { unread, from, subject, has_attachments: hasAttachments, limit = defaultLimit }: Settings,
  since: Date | undefined,
): Promise<readonly FetchMessageObject[]> {
  const query: SearchObject = {
    all: true,
    ...(unread === true ? { seen: false } : {}),
    ...(from === undefined ? {} : { from }),
    ...(subject === undefined ? {} : { subject }),
    // The server compares days in a time zone of its own; the moment is compared below.
    ...(since === undefined ? {} : { since: new Date(since.getTime() - dayMs) }),
  };
  const uids = await client.search(query, { uid: true });
  if (!Array.isArray(uids)) throw actionFailed('The mail server refused the search.');
  const ordered = uids.toSorted((one, other) => one - other);
  const found: FetchMessageObject[] = [];
  for (let at = 0; at < ordered.length && found.length < limit; at += batchSize) {
    const batch = ordered.slice(at, at + batchSize);
    const parts = { uid: true, flags: true, envelope: true, internalDate: true, bodyStructure: true };
    const messages = await client.fetchAll(batch, parts, { uid: true });
    const matching = messages.filter(
      (message) =>
        isSince(message, since) && (hasAttachments !== true || listAttachments(message.bodyStructure).length > 0),
    );
    found.push(...matching.toSorted((one, other) => one.uid - other.uid));
  }
  return found.slice(0, limit);
}

function isSince({ internalDate }: FetchMessageObject, since: Date | undefined): boolean {
  return since === undefined || (internalDate !== undefined && new Date(internalDate) >= since);
}

/** Shortens texts until the mails fit, and then leaves out the newest. */
function fit(
  mails: readonly FoundMail[],
  maxBytes: number,
): { readonly mails: readonly FoundMail[]; readonly isShortened: boolean } {
  let fitting = mails;
  for (let length = 5_000; bytesOf(fitting) > maxBytes && length > 0; length = Math.floor(length / 2)) {
    fitting = fitting.map((mail) => ({ ...mail, text: shorten(mail.text, length) }));
  }
  while (fitting.length > 0 && bytesOf(fitting) > maxBytes) fitting = fitting.slice(0, -1);
  return { mails: fitting, isShortened: fitting !== mails };
}

function bytesOf(mails: readonly FoundMail[]): number {
  return Buffer.byteLength(JSON.stringify(mails));
}
