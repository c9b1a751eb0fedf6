import type { MailMessage } from '../../model/mail';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readText } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { boolean, reportInvalid, oneOrMany } from '../../shapes/shapes';
import { report } from '../../source/yaml/yaml-value';
import { mailAddress } from './mail-address';

const recipients = { limit: limits.mailRecipients, code: 'invalid_value', what: 'the list of recipients' } as const;

const prefix = shape<string>(
  (value) => {
    const found = readText(value);
    if (found === undefined || !/\p{Cc}/u.test(found)) return found;
    return reportInvalid(value, 'must not contain line breaks or control characters');
  },
  { type: ['string', 'number', 'boolean'] },
);

const messageKind = objectKind({
  title: 'mail',
  keys: {
    from: keySpec('Address of the sender; by default username of smtp', mailAddress),
    to: keySpec('Address of a recipient, or a list of them', oneOrMany(mailAddress, recipients), { required: true }),
    prefix: keySpec('Text before the subject', prefix),
    attach_logs: keySpec('Whether the logs of the steps are attached', boolean),
  },
});

export const mailMessage = namedShape(
  'MailMessage',
  objectShape(messageKind, ({ from, to, ...rest }): MailMessage | undefined => {
    if (to?.value?.length === 0) {
      report(to.source, 'invalid_value', 'to must name at least one recipient');
      return undefined;
    }
    if ((from && from.value === undefined) || to?.value === undefined) return undefined;
    return {
      to: to.value,
      ...compact({ from: from?.value, prefix: rest.prefix?.value }),
      attachLogs: rest.attach_logs?.value ?? false,
    };
  }),
);
