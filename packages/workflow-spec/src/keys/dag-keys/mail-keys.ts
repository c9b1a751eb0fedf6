import type { Part } from '../../model/compact';
import type { DagSettings } from '../../model/dag';
import { mailMessage } from './mail-message';
import { mailAccounts } from '../actions/settings/mail-account-settings';
import { mailServer } from './mail-server';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { type Fields, objectShape } from '../../shapes/read-object';
import type { MailOn } from '../../model/mail';
import { boolean } from '../../shapes/shapes';

const mailOnKind = objectKind({
  title: 'mail_on',
  keys: {
    success: keySpec('Send mail when a run succeeds', boolean),
    failure: keySpec('Send mail when a run fails', boolean),
    wait: keySpec('Send mail when a run waits for a person', boolean),
  },
});

const mailOn = objectShape(mailOnKind, ({ success, failure, wait }): MailOn => ({
  success: success?.value ?? false,
  failure: failure?.value ?? false,
  wait: wait?.value ?? false,
}));

export const mailKeys = {
  mail_on: keySpec('The outcomes of a run for which mail is sent', mailOn),
  smtp: keySpec('The mail server', mailServer),
  mail_accounts: keySpec('Mailboxes by address', mailAccounts),
  error_mail: keySpec('The mail sent after a failure', mailMessage),
  info_mail: keySpec('The mail sent after a success', mailMessage),
  wait_mail: keySpec('The mail sent when a run waits for a person', mailMessage),
} as const;

export function readMailSettings(fields: Fields<typeof mailKeys>): Part<DagSettings> {
  return {
    mailOn: fields.mail_on?.value,
    smtp: fields.smtp?.value,
    mailAccounts: fields.mail_accounts?.value,
    errorMail: fields.error_mail?.value,
    infoMail: fields.info_mail?.value,
    waitMail: fields.wait_mail?.value,
  };
}
