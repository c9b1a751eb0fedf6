import { keySpec } from '../../shapes/object-kind';
import { shape } from '../../shapes/shape';
import { asWritten, nonEmptyText, reportInvalid, oneOrMany, text } from '../../shapes/shapes';
import { duration } from '../../shapes/settings/duration-setting';
import { getItems, getKind, report } from '../../source/yaml/yaml-value';
import { defineAction } from './define-action';
import { flag, oneOrTexts, settingBound, whole, word } from '../../shapes/settings/setting-shapes';

const addresses = oneOrMany(nonEmptyText, settingBound('to'));

/** The list has at least one address. */
const recipients = shape<readonly string[]>(
  (value) => {
    const isEmpty = getKind(value) === 'list' && getItems(value).length === 0;
    return isEmpty ? reportInvalid(value, 'must hold at least one address') : addresses.read(value);
  },
  (book) => ({ allOf: [addresses.schema(book), { not: { maxItems: 0, type: 'array' } }] }),
);

const mailbox = keySpec('Address in mail_accounts', nonEmptyText, { required: true });

export const messageActions = [
  defineAction('mail.send', {
    description: 'Sends a mail',
    execution: 'in-process',
    restart: false,
    dagSettings: 'mail',
    keys: {
      mailbox: keySpec('Mail account that sends; smtp by default', nonEmptyText),
      from: keySpec('Address of the sender; by default mailbox, or username of smtp', nonEmptyText),
      to: keySpec('Recipient or recipients', recipients, { required: true }),
      subject: keySpec('Subject', text, { required: true }),
      message: keySpec('Body of the mail', text, { required: true }),
      attachments: keySpec('Files to attach', oneOrTexts('attachments')),
    },
  }),
  defineAction('mail.search', {
    description: 'Finds mail in a mailbox',
    execution: 'in-process',
    restart: true,
    dagSettings: 'mail',
    keys: {
      mailbox,
      folder: keySpec('Folder; INBOX by default', nonEmptyText),
      unread: keySpec('Only unread mail', flag),
      from: keySpec('Part of the sender', nonEmptyText),
      subject: keySpec('Part of the subject', nonEmptyText),
      within: keySpec('Age at most: 30m, 24h, 7d', duration),
      has_attachments: keySpec('Only mail with attachments', flag),
      save_attachments: keySpec('Save attachments as artifacts', flag),
      limit: keySpec('Maximum number of mails; 20 by default', whole(1, 50)),
    },
  }),
  defineAction('mail.organize', {
    description: 'Marks or moves mail',
    execution: 'in-process',
    restart: true,
    dagSettings: 'mail',
    keys: {
      mailbox,
      emails: keySpec('ID or mail of mail.search, or a list of them', asWritten, { required: true }),
      mark: keySpec('read, unread, flagged or unflagged', word('read', 'unread', 'flagged', 'unflagged')),
      move: keySpec('folder, archive or trash', word('folder', 'archive', 'trash')),
      folder: keySpec('Destination of move: folder', nonEmptyText),
      dry_run: keySpec('Change nothing', flag),
    },
    check: ({ mark, move }, value) => {
      if (mark === undefined && move === undefined) report(value, 'missing_key', 'mark or move is required');
    },
  }),
] as const;
