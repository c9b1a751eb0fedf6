export interface MailServer {
  readonly host: string;
  /** The port is a string, because it may contain a reference. */
  readonly port?: string;
  readonly username?: string;
  readonly password?: string;
  /** SHA-256 of the only certificate that is accepted: 64 hexadecimal digits, with colons between bytes or without. */
  readonly tlsCertSha256?: string;
}

export interface MailMessage {
  /** Default: the user name at the mail server. */
  readonly from?: string;
  readonly to: readonly string[];
  readonly prefix?: string;
  readonly attachLogs: boolean;
}

export interface MailOn {
  readonly success: boolean;
  readonly failure: boolean;
  readonly wait: boolean;
}
