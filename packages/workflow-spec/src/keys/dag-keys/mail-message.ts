import type { MailMessage } from '../../model/mail';
import { compact } from '../../model/compact';
import { limits } from '../../model/limits';
import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readText, readNonEmptyText, type Reader } from '../../shapes/readers';
import { namedShape, shape } from '../../shapes/shape';
import { boolean, reportInvalid, oneOrMany, hasReference } from '../../shapes/shapes';
import { report } from '../../source/yaml/yaml-value';

const readAddress: Reader<string> = (value) => {
  const address = readNonEmptyText(value)?.trim();
  if (address === undefined) return undefined;
  // A line break would start another mail header.
  if (/\p{Cc}/u.test(address)) return reportInvalid(value, 'must not contain line breaks or control characters');
  if (hasReference(value) || /[^\s@]@[^\s@]/.test(address)) return address;
  return reportInvalid(value, 'must be a mail address');
};

/** An address with or without a display name; may contain references. */
const mailAddress = namedShape('MailAddress', shape(readAddress, { type: 'string', pattern: '[@$]' }));

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
