import { z } from 'zod';

const timestamp = z.iso.datetime({ offset: true });

export const AgentAuthProviderStatus = z
  .object({
    id: z.string().describe('Id from the configuration of the server.'),
    name: z.string().describe('Shown to people.'),
    connected: z.boolean().describe('Whether the server has a token of the provider.'),
    expiresAt: timestamp.optional().describe('When the token expires.'),
    canRefresh: z.boolean().optional().describe('Whether the server renews it by itself.'),
    accountId: z.string().optional().describe('The account at the provider, where it says so.'),
  })
  .meta({ id: 'AgentAuthProviderStatus', description: 'A provider with which the server signs in for models.' });
export type AgentAuthProviderStatus = z.output<typeof AgentAuthProviderStatus>;

export const ListAgentAuthProvidersResponse = z
  .object({ providers: z.array(AgentAuthProviderStatus).describe('In the order of the configuration.') })
  .meta({ id: 'ListAgentAuthProvidersResponse', description: 'All providers.' });

export const StartAgentAuthProviderLoginResponse = z
  .object({
    flowId: z.string().describe('Names this login when it is completed; usable once, for ten minutes.'),
    authUrl: z.string().describe('To be opened in a browser.'),
    instructions: z.string().optional().describe('What to do there.'),
  })
  .meta({ id: 'StartAgentAuthProviderLoginResponse', description: 'A login that was begun.' });

export const CompleteAgentAuthProviderLoginRequest = z
  .object({
    flowId: z.string().min(1).max(8192).describe('Of the login that was begun.'),
    redirectUrl: z.url().min(1).max(8192).optional().describe('Where the provider has sent the browser.'),
    code: z.string().min(1).max(8192).optional().describe('The code that the provider shows in its place.'),
  })
  .refine(({ redirectUrl, code }) => (redirectUrl === undefined) !== (code === undefined), {
    message: 'Send either redirectUrl or code.',
    path: ['redirectUrl'],
  })
  .meta({ id: 'CompleteAgentAuthProviderLoginRequest', description: 'What the provider answered.' });

export const CompleteAgentAuthProviderLoginResponse = z
  .object({ provider: AgentAuthProviderStatus })
  .meta({ id: 'CompleteAgentAuthProviderLoginResponse', description: 'The provider afterwards.' });
