import type { MailServer } from '@weir/workflow-spec';
import { mailNotSent } from './mail-errors';

/** The sender of a mail that may name none. Throws when the account of the mail server is no address either. */
export function mailSender(from: string | undefined, { username = '' }: MailServer): string {
  if (from !== undefined) return from;
  if (username.includes('@')) return username;
  throw mailNotSent('The mail has no sender: from is missing, and smtp.username is not a mail address.');
}
