import type { MailOn } from '../model/mail';
import { keySpec, objectKind } from '../shapes/object-kind';
import { objectShape } from '../shapes/read-object';
import { boolean } from '../shapes/shapes';

const mailOnKind = objectKind({
  title: 'mail_on',
  keys: {
    success: keySpec('Mail after a run that succeeded', boolean),
    failure: keySpec('Mail after a run that failed', boolean),
    wait: keySpec('Mail when a run waits for people', boolean),
  },
});

export const mailOn = objectShape(mailOnKind, ({ success, failure, wait }): MailOn => ({
  success: success?.value ?? false,
  failure: failure?.value ?? false,
  wait: wait?.value ?? false,
}));
