import { createHash, timingSafeEqual } from 'node:crypto';
import type { ConnectionAccess } from '@weir/workflow-contract/schemas';

/** A program that has registered itself. It has no secret: its name is a claim, its redirect addresses are what counts. */
export interface ChatClient {
  readonly id: string;
  readonly name: string;
  readonly redirectAddresses: readonly string[];
  readonly createdAt: Date;
  /** The latest time that a person has connected it; at first that of the registration. */
  readonly lastUsedAt: Date;
}

/** The consent of a person, for whose code the chat client has not come yet. Only digests are stored. */
export interface PendingConnection {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  /** The token version of the user at the consent: a new password ends the connection. */
  readonly tokenVersion: number;
  readonly access: ConnectionAccess;
  /** The address of the tools that the tokens are for. */
  readonly resource: string;
  readonly redirectAddress: string;
  readonly codeChallenge: string;
  readonly codeDigest: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** At first the end of the code. */
  readonly expiresAt: Date;
}

/** The right of a chat client to use the tools for a person. */
export interface ClientConnection extends PendingConnection, Partial<ConnectionTokens> {
  /** Missing until the code was exchanged, as are the tokens. */
  readonly codeUsedAt?: Date;
}

/** What each exchange replaces. */
export interface ConnectionTokens {
  readonly accessDigest: string;
  readonly accessExpiresAt: Date;
  readonly refreshDigest: string;
}

const marks = { code: 'weirmcc', access: 'weirmca', refresh: 'weirmcr' } as const;
type CredentialKind = keyof typeof marks;

export const credentialBytes = 32;
const pattern = /^(?<mark>weirmc[acr])_(?<id>[0-9a-f-]{36})_(?<secret>[\w-]{43}|[\w-]{86})$/;

/** A code or token: its kind, the connection that it belongs to, and at least 256 random bits. */
export function formatCredential(kind: CredentialKind, connectionId: string, secret: Uint8Array): string {
  return `${marks[kind]}_${connectionId}_${Buffer.from(secret).toString('base64url')}`;
}

interface Credential {
  readonly connectionId: string;
  readonly secret: Uint8Array;
}

/** Returns `undefined` for a text of another form. */
export function readCredential(kind: CredentialKind, text: string): Credential | undefined {
  const { mark, id = '', secret = '' } = pattern.exec(text)?.groups ?? {};
  return mark === marks[kind] ? { connectionId: id, secret: Buffer.from(secret, 'base64url') } : undefined;
}

/** A plain digest is enough: the credential holds 256 random bits, so it cannot be guessed. */
export function digestCredential(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function isDigestOf(digest: string | undefined, text: string): boolean {
  return digest !== undefined && timingSafeEqual(Buffer.from(digest), Buffer.from(digestCredential(text)));
}
