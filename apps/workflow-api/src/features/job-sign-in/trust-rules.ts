import { AppError, isAppError } from '@weir/foundation';
import { parseConditions, type ClaimConditions } from '@weir/oidc-claims';
import { everyWorkspace, UserRole, workspaceAccessProblem, type WorkspaceAccess } from '@weir/workflow-contract';
import { parse } from 'yaml';
import { z } from 'zod';

/** The rights of a job whose token meets the conditions. */
export interface TrustRule {
  readonly claims: ClaimConditions;
  readonly role: UserRole;
  readonly workspaceAccess: WorkspaceAccess;
}

/** A CI platform whose tokens are credentials here. */
export interface TrustedIssuer {
  /** The exact `iss` of the issuer's tokens. */
  readonly issuer: string;
  /** The name that `aud` of a token must contain, so that tokens for other services are not accepted. */
  readonly audience: string;
  /** The address of the keys; when missing, the discovery document of the issuer names it. */
  readonly keysUrl?: string | undefined;
  /** The first rule that matches counts. */
  readonly rules: readonly TrustRule[];
}

/** These claims identify the owner of a job. Without one, a rule would admit the jobs of everyone on a public platform. */
const owners: ReadonlySet<string> = new Set([
  ...['sub', 'repository', 'repository_id', 'repository_owner', 'repository_owner_id'],
  ...['workflow_ref', 'job_workflow_ref', 'enterprise', 'enterprise_id'],
  ...['project_path', 'project_id', 'namespace_path', 'namespace_id', 'user_login', 'user_email', 'email'],
]);

const Rule = z.strictObject({
  claims: z.unknown(),
  role: UserRole,
  workspaces: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/))
    .min(1)
    .optional(),
});

const Issuers = z
  .array(
    z.strictObject({
      issuer: z.url({ protocol: /^https?$/ }),
      audience: z.string().min(1).max(1024),
      keys_url: z.url({ protocol: /^https?$/ }).optional(),
      rules: z.array(Rule).min(1).max(200),
    }),
  )
  .min(1)
  .max(50);

/** Reads the rules of a file. Throws `invalid_request`, reason `trust_rules_invalid`, with the location of the first error. */
export function parseTrustRules(text: string): readonly TrustedIssuer[] {
  const parsed = Issuers.safeParse(readYaml(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
  }
  const names = parsed.data.map(({ issuer }) => issuer);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`the issuer ${twice} is there twice`);
  return parsed.data.map(({ issuer, audience, keys_url: keysUrl, rules }) => ({
    issuer,
    audience,
    keysUrl,
    rules: rules.map((rule, index) => toRule(rule, `rule ${index + 1} of ${issuer}`)),
  }));
}

function toRule({ claims: written, role, workspaces }: z.output<typeof Rule>, where: string): TrustRule {
  const claims = readConditions(written, where);
  const namesOwner = Object.entries(claims).some(
    ([claim, accepted]) => owners.has(claim) && [accepted].flat().every((text) => /[^*]/.test(text)),
  );
  if (!namesOwner) throw invalid(`${where} needs a claim that says whose job it is, such as repository`);
  if (workspaces === undefined) return { claims, role, workspaceAccess: everyWorkspace };
  const workspaceAccess = {
    all: false,
    grants: workspaces.map((workspace) => ({ workspace: workspace.toLowerCase(), role })),
  };
  const problem = workspaceAccessProblem('viewer', workspaceAccess);
  if (problem !== undefined) throw invalid(`${where}: ${problem}`);
  return { claims, role: 'viewer', workspaceAccess };
}

function readConditions(value: unknown, where: string): ClaimConditions {
  try {
    return parseConditions(value);
  } catch (error) {
    throw isAppError(error) ? invalid(`${where}: ${error.message}`) : error;
  }
}

function readYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw new AppError('invalid_request', 'The rules of WEIR_JOB_TRUST_FILE are no YAML.', {
      reason: 'trust_rules_invalid',
      cause,
    });
  }
}

function invalid(problem: string): AppError {
  return new AppError('invalid_request', `The rules of WEIR_JOB_TRUST_FILE are not valid: ${problem}.`, {
    reason: 'trust_rules_invalid',
  });
}
