import type { FetchMessageObject, ImapFlow, MessageAddressObject, MessageStructureObject } from 'imapflow';

/** A mail as `mail.search` publishes it. */
export interface FoundMail {
  readonly id: string;
  readonly message_id: string;
  readonly folder: string;
  readonly from_name: string;
  readonly from_address: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** RFC 3339. */
  readonly date: string;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly text: string;
  readonly attachments: readonly FoundAttachment[];
}

export interface FoundAttachment {
  readonly name: string;
  readonly content_type: string;
  /** Bytes as the server holds them, or those of the file once it is saved. */
  readonly size: number;
  /** Absolute; present once the attachment is saved. */
  readonly path?: string;
}

/** A part of a mail that is an attachment. */
export interface AttachmentPart {
  readonly part: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

/** Characters. */
const maxTextLength = 10_000;
/** Bytes of a mail that are read for its text; attachments usually follow it. */
const maxSourceBytes = 262_144;
const maxAddresses = 100;
const maxFieldLength = 1_000;

/** What the headers say, and where the attachments are. */
export function describeMail(message: FetchMessageObject): Omit<FoundMail, 'id' | 'folder' | 'text' | 'attachments'> {
  const { envelope = {}, flags = new Set<string>(), internalDate } = message;
  const [from] = envelope.from ?? [];
  return {
    message_id: cut(envelope.messageId ?? '').replace(/^<|>$/g, ''),
    from_name: cut(from?.name ?? ''),
    from_address: cut(from?.address ?? ''),
    to: toAddresses(envelope.to),
    cc: toAddresses(envelope.cc),
    subject: cut(envelope.subject ?? ''),
    date: toTime(envelope.date) ?? toTime(internalDate) ?? new Date(0).toISOString(),
    unread: !flags.has('\\Seen'),
    flagged: flags.has('\\Flagged'),
  };
}

/** Parts that have a file name or are marked as attachments. */
export function listAttachments(structure: MessageStructureObject | undefined): readonly AttachmentPart[] {
  if (structure === undefined) return [];
  const { childNodes, disposition, dispositionParameters, parameters, part = '1', type, size = 0 } = structure;
  const isWhole = type === 'message/rfc822';
  if (childNodes !== undefined && !isWhole) return childNodes.flatMap(listAttachments);
  const name = dispositionParameters?.filename ?? parameters?.name;
  if (disposition !== 'attachment' && name === undefined) return [];
  return [{ part, name: cut(name ?? (isWhole ? 'message.eml' : 'attachment')), contentType: type, size }];
}

export interface MailText {
  readonly text: string;
  readonly isShortened: boolean;
}

/** The text of a mail; that of its HTML when it has no other. Flags of the mail stay as they are. */
export async function readMailText(client: ImapFlow, uid: number): Promise<MailText> {
  const query = { source: { start: 0, maxLength: maxSourceBytes } };
  const fetched = await client.fetchOne(String(uid), query, { uid: true });
  const source = fetched === false ? undefined : fetched.source;
  if (source === undefined) return { text: '', isShortened: false };
  const { default: PostalMime } = await import('postal-mime');
  // A mail that exceeds the limits of the parser must not hide all others.
  const mail = await PostalMime.parse(source).catch(() => undefined);
  if (mail === undefined) return { text: '', isShortened: true };
  const isCut = source.length >= maxSourceBytes;
  const text = mail.text ?? (await htmlToText(mail.html ?? ''));
  return {
    text: shorten(text.trim(), maxTextLength),
    isShortened: text.trim().length > maxTextLength || (isCut && mail.text === undefined),
  };
}

/** The library converts the HTML of a mail to text only beside another text. */
async function htmlToText(html: string): Promise<string> {
  if (html === '') return '';
  const { default: PostalMime } = await import('postal-mime');
  const lines = [
    'Content-Type: multipart/mixed; boundary=part',
    '',
    '--part',
    'Content-Type: text/plain',
    '',
    '',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html).toString('base64'),
    '--part--',
    '',
  ];
  return (await PostalMime.parse(lines.join('\r\n'))).text ?? '';
}

/** Never cuts a character that is two UTF-16 units in half. */
export function shorten(text: string, length: number): string {
  const end = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end;
}

function toAddresses(addresses: readonly MessageAddressObject[] = []): readonly string[] {
  return addresses.slice(0, maxAddresses).flatMap(({ address }) => (address === undefined ? [] : [cut(address)]));
}

function cut(text: string): string {
  return shorten(text, maxFieldLength);
}

function toTime(date: Date | string | undefined): string | undefined {
  const time = date === undefined ? new Date(Number.NaN) : new Date(date);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
