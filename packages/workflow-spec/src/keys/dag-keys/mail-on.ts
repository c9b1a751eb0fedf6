import type { MailOn } from '../../model/mail';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { boolean } from '../../shapes/shapes';

const mailOnKind = objectKind({
  title: 'mail_on',
  keys: {
    success: keySpec('Send mail when a run succeeds', boolean),
    failure: keySpec('Send mail when a run fails', boolean),
    wait: keySpec('Send mail when a run waits for a person', boolean),
  },
});

export const mailOn = objectShape(mailOnKind, ({ success, failure, wait }): MailOn => ({
  success: success?.value ?? false,
  failure: failure?.value ?? false,
  wait: wait?.value ?? false,
}));
