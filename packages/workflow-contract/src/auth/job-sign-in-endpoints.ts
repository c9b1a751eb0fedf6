import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { rolesFrom, UserRole } from '../common/roles';

const tag = 'auth';
const maxTokenLength = 16_384;

const accepted = z.array(z.string()).describe('Accepted texts, of which one has to match; `*` is any characters.');
const workspaces = z.array(z.string()).nullable().describe('Where the role counts; null for all workspaces.');

const JobRule = z
  .object({
    claims: z
      .array(z.object({ claim: z.string().describe('Name of the claim.'), accepted }))
      .describe('Conditions, all of which a token has to meet.'),
    role: UserRole.describe('Role of the job.'),
    workspaces,
  })
  .meta({ id: 'JobRule', description: 'What jobs may do whose token meets the conditions.' });

export type JobRule = z.output<typeof JobRule>;

const JobIssuer = z
  .object({
    issuer: z.string().describe('The exact `iss` of its tokens.'),
    audience: z.string().describe('What `aud` of a token has to name.'),
    keysUrl: z.string().nullable().describe('Where its keys are; null where its discovery document says so.'),
    rules: z.array(JobRule).describe('The first one whose conditions are met counts.'),
  })
  .meta({ id: 'JobIssuer', description: 'A CI platform whose jobs sign in.' });

const JobRulesResponse = z
  .object({ issuers: z.array(JobIssuer).describe('Empty where no jobs sign in.') })
  .meta({ id: 'JobRulesResponse', description: 'The rules for the sign-in of CI jobs.' });

const JobTokenCheck = z
  .object({
    name: z.enum(['issuer', 'signature', 'claims', 'audience', 'expiry', 'rules']).describe('What was looked at.'),
    result: z
      .enum(['passed', 'failed', 'skipped'])
      .describe('"skipped" where an earlier failure leaves nothing to look at.'),
    message: z.string().describe('What was found, for people.'),
  })
  .meta({ id: 'JobTokenCheck', description: 'One finding about the token of a job.' });
export type JobTokenCheck = z.output<typeof JobTokenCheck>;

const ComparedClaim = z
  .object({
    claim: z.string().describe('Name of the claim.'),
    accepted,
    actual: z.array(z.string()).describe('Texts of the claim in the token; empty where it has none.'),
    matches: z.boolean().describe('Whether the condition is met.'),
  })
  .meta({ id: 'ComparedClaim', description: 'A condition of a rule, and the claim of the token.' });

const ComparedRule = z
  .object({
    matches: z.boolean().describe('Whether all conditions are met.'),
    claims: z.array(ComparedClaim).describe('Each condition.'),
    role: UserRole.describe('Role that the rule gives.'),
    workspaces,
  })
  .meta({ id: 'ComparedRule', description: 'A rule of the issuer, compared with the token.' });

const CheckJobTokenResponse = z
  .object({
    accepted: z.boolean().describe('Whether a request with this token would be signed in now.'),
    issuer: z.string().nullable().describe('What the token says its issuer is; null without one.'),
    checks: z.array(JobTokenCheck).describe('All checks, in the order of a sign-in.'),
    rules: z
      .array(ComparedRule)
      .describe('The rules of the issuer, in their order. Empty unless the signature is genuine.'),
  })
  .meta({ id: 'CheckJobTokenResponse', description: 'Why a token signs a job in, or does not.' });
export type CheckJobTokenResponse = z.output<typeof CheckJobTokenResponse>;

export const listJobRules = endpoint({
  method: 'GET',
  path: '/job-sign-in/rules',
  operationId: 'listJobRules',
  tag,
  summary: 'List the rules for the sign-in of CI jobs',
  description: 'They are those of a file of the server, as read at its start.',
  access: rolesFrom('admin'),
  success: { status: 200, description: 'The trusted platforms with their rules.', schema: JobRulesResponse },
  errors: { 401: errorAnswers.unauthenticated, 403: errorAnswers.forbidden },
});

export const checkJobToken = endpoint({
  method: 'POST',
  path: '/job-sign-in/check',
  operationId: 'checkJobToken',
  audit: 'no-change',
  tag,
  summary: 'Check which rule the token of a CI job meets',
  description:
    'Verifies the token as a sign-in does, and compares it with each rule, also after it has expired. The token is neither stored nor logged.',
  access: rolesFrom('admin'),
  maxBodyBytes: 2 * maxTokenLength,
  body: z
    .strictObject({ token: z.string().min(1).max(maxTokenLength).describe('OIDC token of a job.') })
    .meta({ id: 'CheckJobTokenRequest', description: 'The token to check.' }),
  success: { status: 200, description: 'What was found.', schema: CheckJobTokenResponse },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid'] },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
  },
});
