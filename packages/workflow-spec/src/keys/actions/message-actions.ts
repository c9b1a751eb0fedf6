import { keySpec } from '../../shapes/object-kind';
import { shape } from '../../shapes/shape';
import { nonEmptyText, reportInvalid, oneOrMany, text } from '../../shapes/shapes';
import { getItems, getKind } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { oneOrTexts, settingBound } from '../../shapes/settings/setting-shapes';

const addresses = oneOrMany(nonEmptyText, settingBound('to'));

/** The list has at least one address. */
const recipients = shape<readonly string[]>(
  (value) => {
    const isEmpty = getKind(value) === 'list' && getItems(value).length === 0;
    return isEmpty ? reportInvalid(value, 'must hold at least one address') : addresses.read(value);
  },
  (book) => ({ allOf: [addresses.schema(book), { not: { maxItems: 0, type: 'array' } }] }),
);

export const messageActions = [
  defineAction('mail.send', {
    description: 'Sends a mail',
    execution: 'in-process',
    restart: false,
    dagSettings: 'smtp',
    keys: {
      from: keySpec('Address of the sender; by default username of smtp', nonEmptyText),
      to: keySpec('Recipient or recipients', recipients, { required: true }),
      subject: keySpec('Subject', text, { required: true }),
      message: keySpec('Body of the mail', text, { required: true }),
      attachments: keySpec('Files to attach', oneOrTexts('attachments')),
    },
  }),
] as const;
