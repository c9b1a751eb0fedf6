import type { MailServer } from '@weir/workflow-spec';

export interface MailAttachment {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A mail, with everything worked out. */
export interface Mail {
  /** An address, with or without the name of its owner. */
  readonly from: string;
  /** Each text holds one address, or several with commas between them. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Shown instead of the text where it can be. */
  readonly html?: string;
  readonly attachments?: readonly MailAttachment[];
}

/**
 * Hands a mail to a server, whose texts hold no references any more. Rejects with an `AppError` that holds neither an
 * address, nor the account, nor anything that the server said; with the reason of the signal when that was aborted.
 */
export type SendMail = (server: MailServer, mail: Mail, signal: AbortSignal) => Promise<void>;
