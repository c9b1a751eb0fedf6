export interface MailServer {
  readonly host: string;
  /** The port is a string, because it may contain a reference. */
  readonly port?: string;
  readonly username?: string;
  readonly password?: string;
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
