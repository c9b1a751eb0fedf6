import { z } from 'zod';
import type { ExternalIdentity } from './external-identity';
import { groupsIncomplete, signInRefused } from './external-sign-in-errors';

const maxSubjectLength = 255;
const maxGroups = 2000;

const Claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1).max(maxSubjectLength),
  preferred_username: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  email_verified: z.unknown().optional(),
});

/** Returns the person of verified claims. Throws `sign_in_refused`, or `groups_incomplete` where the provider left groups out. */
export function toOidcIdentity(
  given: Readonly<Record<string, unknown>>,
  groupsClaim: string,
): Omit<ExternalIdentity, 'grants'> {
  const parsed = Claims.safeParse(given);
  if (!parsed.success) throw signInRefused(parsed.error);
  const { iss, sub, preferred_username: preferred, email, name, email_verified: isVerified } = parsed.data;
  return {
    provider: 'oidc',
    // The blank separates the parts, because an issuer is a URL without blanks.
    externalId: `${iss} ${sub}`,
    names: [preferred, email, name].flatMap((text) => text ?? []),
    // Some providers let people enter any address.
    email: isVerified === true ? email : undefined,
    groups: readGroups(given, groupsClaim),
  };
}

/** Reads the claim of this name, or the one at this path: `realm_access.roles`. */
function readGroups(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = name in claims ? claims[name] : name.split('.').reduce<unknown>(readField, claims);
  // For people in very many groups, Entra ID sends a link instead of the groups.
  if (value === undefined && readField(claims._claim_names, name) !== undefined) throw groupsIncomplete();
  const list = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  if (list.length > maxGroups) throw groupsIncomplete();
  return list.filter((group) => typeof group === 'string');
}

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
