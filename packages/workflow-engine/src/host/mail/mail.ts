import type { MailServer } from '@weir/workflow-spec';
import type { MailServerAccess } from './mail-server-access';

export interface MailAttachment {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A mail with its references replaced. */
export interface Mail {
  /** Makes its Message-ID, so that mailboxes know one that is sent again. Default: one of its own. */
  readonly id?: string;
  /** An address, with or without a display name. */
  readonly from: string;
  /** Each text contains one address, or several separated by commas. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Alternative to the text. */
  readonly html?: string;
  readonly attachments?: readonly MailAttachment[];
}

/**
 * Passes a mail to a server whose references are replaced. Rejects with an `AppError` that contains neither an address,
 * nor the account, nor a message of the server; after an abort with the reason of the signal.
 */
export type SendMail = (server: MailServer | MailServerAccess, mail: Mail, signal: AbortSignal) => Promise<void>;
