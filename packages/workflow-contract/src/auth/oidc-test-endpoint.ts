import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import { errorAnswers } from '../common/errors';
import { rolesFrom } from '../common/roles';

const maxScopes = 50;
const maxAddressLength = 2000;
const address = z.url({ protocol: /^https?$/ }).max(maxAddressLength);

const OidcTestSettings = z
  .strictObject({
    issuer: address.describe('Issuer of the provider: https, or http on the machine of the server.'),
    clientId: z.string().min(1).max(1024).describe('Id of the server at the provider.'),
    clientSecret: z.string().min(1).max(4096).optional().describe('Secret of the server there. Default: none.'),
    clientUrl: address.describe('Address by which browsers reach the server; its path is ignored.'),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/))
      .min(1)
      .max(maxScopes)
      .optional()
      .describe('What the provider is asked for. Default: openid, profile and email.'),
    groupsClaim: z.string().min(1).max(256).optional().describe('Claim with the groups of a person. Default: groups.'),
  })
  .meta({
    id: 'OIDCTestSettings',
    description: 'Settings of a sign-in with an identity provider, which the server does not have yet.',
  });
export type OidcTestSettings = z.output<typeof OidcTestSettings>;

const OidcCheck = z
  .object({
    name: z
      .enum(['discovery', 'flow', 'keys', 'client', 'redirect', 'scopes', 'groups'])
      .describe('What was looked at.'),
    result: z
      .enum(['passed', 'warning', 'failed', 'skipped'])
      .describe('"skipped" where an earlier failure leaves nothing to look at.'),
    message: z.string().describe('What was found, for people.'),
  })
  .meta({ id: 'OIDCCheck', description: 'One finding about the settings of a sign-in.' });
export type OidcCheck = z.output<typeof OidcCheck>;

const OidcTestResponse = z
  .object({
    success: z.boolean().describe('Whether no check has failed.'),
    issuer: z.string().describe('The provider that was asked.'),
    clientId: z.string().describe('Id of the server at the provider.'),
    redirectAddress: z.string().describe('Where the provider has to send browsers back to.'),
    checks: z.array(OidcCheck).describe('All checks, in the order in which a sign-in needs them.'),
  })
  .meta({ id: 'OIDCTestResponse', description: 'What a provider says to settings of a sign-in.' });
export type OidcTestResponse = z.output<typeof OidcTestResponse>;

export const testOidc = endpoint({
  method: 'POST',
  path: '/auth/oidc/test',
  operationId: 'testOIDC',
  audit: 'no-change',
  tag: 'auth',
  summary: 'Test the settings of the sign-in with an identity provider',
  description:
    'Asks the provider for what a sign-in needs, without signing anybody in. Without settings, those of a provider of the server are tested. The answer has no secrets.',
  access: rolesFrom('admin'),
  body: z
    .strictObject({
      settings: OidcTestSettings.optional(),
      provider: z
        .string()
        .min(1)
        .max(40)
        .optional()
        .describe('Id of the provider of the server to test, which needs no settings. Default: the first one.'),
    })
    .refine(({ settings, provider }) => settings === undefined || provider === undefined, {
      message: 'is there besides settings',
      path: ['provider'],
    })
    .meta({ id: 'TestOIDCRequest', description: 'The settings to test.' }),
  success: { status: 200, description: 'What was found.', schema: OidcTestResponse },
  errors: {
    400: { description: 'The request is not valid.', reasons: ['request_invalid'] },
    401: errorAnswers.unauthenticated,
    403: errorAnswers.forbidden,
    409: {
      description: 'There are no settings in the request, and the server has no such provider.',
      reasons: ['oidc_not_configured'],
    },
  },
});
