export interface MailServer {
  readonly host: string;
  /** Text, since it may hold a reference. */
  readonly port?: string;
  readonly username?: string;
  readonly password?: string;
}

export interface MailMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly prefix?: string;
  readonly attachLogs: boolean;
}

/** The ends of a run after which mail is sent. */
export interface MailOn {
  readonly success: boolean;
  readonly failure: boolean;
  readonly wait: boolean;
}
