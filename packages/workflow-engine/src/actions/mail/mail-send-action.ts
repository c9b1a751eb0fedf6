import { basename } from 'node:path';
import type { MailAttachment } from '../../host/mail/mail';
import { mailSender } from '../../host/mail/mail-sender';
import { createMailSender } from '../../host/mail/send-mail';
import { actionFailed } from '../../model/steps/action-errors';
import type { ActionExecutor, ActionWork } from '../call/action-executor';
import { actionPath } from '../../host/files/action-paths';
import type { MailServerAccess } from '../../host/mail/mail-server-access';
import { findMailbox, mailboxServer, signInTo, type Mailbox } from './mailbox';
import { readWhole } from '../files/read-whole';

const maxAttachmentBytes = 25 * 1024 * 1024;
const maxAttachments = 100;

/** Sends one mail by the mail server of the DAG. */
export const mailSend: ActionExecutor<'mail.send'> = async (work) => {
  const { settings, services, signal, log } = work;
  const { sendMail = createMailSender() } = services;
  const { to, subject, message } = settings;
  const { server, from } = await chooseServer(work);
  const mail = {
    from,
    to,
    subject,
    text: message,
    attachments: await readAttachments(work),
  };
  await sendMail(server, mail, signal);
  log.line('mail sent');
  return undefined;
};

/** The server of the mailbox, or that of the DAG. */
async function chooseServer({ call, settings, signal }: ActionWork<'mail.send'>) {
  if (settings.mailbox !== undefined) {
    const mailbox = findMailbox(call);
    const server = await mailboxAccess(mailbox, signal);
    return { server, from: settings.from ?? mailbox.address };
  }
  const { mailServer } = call;
  if (mailServer === undefined) throw actionFailed('mail.send needs the mail server of the DAG: smtp is missing.');
  return { server: mailServer, from: mailSender(settings.from, mailServer) };
}

async function mailboxAccess(mailbox: Mailbox, signal: AbortSignal): Promise<MailServerAccess> {
  const { security, ...server } = mailboxServer(mailbox, 'smtp');
  const account = await signInTo(mailbox, signal);
  return { ...server, account, encryption: security === 'tls' ? 'always' : 'required' };
}

async function readAttachments({
  call,
  settings,
  signal,
}: ActionWork<'mail.send'>): Promise<readonly MailAttachment[]> {
  const paths = settings.attachments ?? [];
  if (paths.length > maxAttachments) throw actionFailed(`attachments contains more than ${maxAttachments} files.`);
  const read: MailAttachment[] = [];
  let left = maxAttachmentBytes;
  for (const path of paths) {
    signal.throwIfAborted();
    const options = { setting: 'attachments', maxBytes: left, isLinkFollowed: true };
    const content = await readWhole(actionPath(call, path), options);
    left -= content.length;
    read.push({ name: basename(path), content });
  }
  return read;
}
