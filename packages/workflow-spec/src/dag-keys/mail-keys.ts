import type { Part } from '../compact';
import type { DagSettings } from '../model/dag';
import { mailMessage } from './mail-message';
import { mailOn } from './mail-on';
import { mailServer } from './mail-server';
import { keySpec } from '../shapes/object-kind';
import type { Fields } from '../shapes/read-object';

export const mailKeys = {
  mail_on: keySpec('After which ends of a run mail is sent', mailOn),
  smtp: keySpec('The mail server', mailServer),
  error_mail: keySpec('The mail about a failure', mailMessage),
  info_mail: keySpec('The mail about a success', mailMessage),
  wait_mail: keySpec('The mail about a run that waits', mailMessage),
} as const;

export function readMailSettings(fields: Fields<typeof mailKeys>): Part<DagSettings> {
  return {
    mailOn: fields.mail_on?.value,
    smtp: fields.smtp?.value,
    errorMail: fields.error_mail?.value,
    infoMail: fields.info_mail?.value,
    waitMail: fields.wait_mail?.value,
  };
}
