import { basename } from 'node:path';
import type { MailAttachment } from '../../mail/mail';
import { createMailSender } from '../../mail/send-mail';
import { actionFailed } from '../action-errors';
import type { ActionDependencies, ActionExecutor } from '../action-executor';
import { actionPath } from '../action-paths';
import { defineExecutor, type ActionWork } from '../define-executor';
import { readWhole } from '../files/read-whole';

const maxAttachmentBytes = 25 * 1024 * 1024;
const maxAttachments = 100;

/** Sends one mail by the mail server of the DAG. */
export function createMailSend({
  sendMail = createMailSender(),
}: Pick<ActionDependencies, 'sendMail'>): ActionExecutor {
  return defineExecutor(async (work) => {
    const { call, settings, signal, log } = work;
    const { mailServer } = call;
    if (mailServer === undefined) throw actionFailed('mail.send needs the mail server of the DAG: smtp is missing.');
    const mail = {
      from: settings.required('from'),
      to: settings.texts('to'),
      subject: settings.required('subject'),
      text: settings.required('message'),
      attachments: await readAttachments(work),
    };
    await sendMail(mailServer, mail, signal);
    log.line('mail sent');
    return undefined;
  });
}

async function readAttachments({ call, settings, signal }: ActionWork): Promise<readonly MailAttachment[]> {
  const paths = settings.texts('attachments');
  if (paths.length > maxAttachments) throw actionFailed(`attachments holds more than ${maxAttachments} files.`);
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
