/** The part of the package that specs use; it has no types of its own. */
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net';

  namespace hoodiecrow {
    interface Message {
      readonly raw: string;
      readonly uid?: number;
      readonly flags?: readonly string[];
      readonly internaldate?: string;
    }
    interface Folder {
      readonly 'special-use'?: string;
      readonly messages?: readonly Message[];
    }
    interface User {
      readonly password: string;
      readonly xoauth2: { readonly accessToken: string; readonly sessionTimeout: number };
    }
    interface Options {
      readonly plugins: readonly string[];
      readonly secureConnection: boolean;
      readonly credentials: { readonly key: string; readonly cert: string };
      readonly users: Readonly<Record<string, User>>;
      readonly storage: Readonly<Record<string, Folder | { readonly folders: Readonly<Record<string, Folder>> }>>;
    }
    interface ImapServer {
      readonly server: Server;
      listen(port: number, host: string, done: () => void): void;
      close(done: () => void): void;
      getMailbox(path: string): { readonly messages: readonly Message[]; readonly uidvalidity: number } | undefined;
    }
  }

  function hoodiecrow(options: hoodiecrow.Options): hoodiecrow.ImapServer;
  export = hoodiecrow;
}
