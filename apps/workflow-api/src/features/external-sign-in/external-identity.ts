import { createHash } from 'node:crypto';
import type { AuthProvider } from '@weir/workflow-contract/schemas';
import type { RoleGrant } from '../../access/access-of-groups';

/** A verified person as another provider describes them. */
export interface ExternalIdentity {
  readonly provider: Exclude<AuthProvider, 'builtin'>;
  /** The id is unique among the people of all providers: for OIDC, the issuer and the subject. */
  readonly externalId: string;
  /** Proposals for the name of a new user, best first. They do not identify the person. */
  readonly names: readonly string[];
  /** Missing where the provider does not confirm that it belongs to the person. */
  readonly email: string | undefined;
  readonly groups: readonly string[];
  /** Access besides that of the groups. */
  readonly grants: readonly RoleGrant[];
}

const maxNameLength = 64;
const digitsOfSuffix = 8;

/** Returns names for a new user, best first; the last one is free unless this person has a user. */
export function proposeUsernames({ names, externalId }: ExternalIdentity): readonly string[] {
  const usable = names.map(toUsername).filter((name) => name !== '');
  const suffix = createHash('sha256').update(externalId).digest('hex').slice(0, digitsOfSuffix);
  const stem = (usable[0] ?? 'user').slice(0, maxNameLength - digitsOfSuffix - 1);
  return [...usable, `${stem}-${suffix}`];
}

function toUsername(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is removed
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
  return plain.slice(0, maxNameLength).trim();
}
