import { endpoint } from '@weir/http-contract';
import { z } from 'zod';
import {
  CompleteAgentAuthProviderLoginRequest,
  CompleteAgentAuthProviderLoginResponse,
  ListAgentAuthProvidersResponse,
  StartAgentAuthProviderLoginResponse,
} from './provider-schemas';
import { adminOnly as access, forbidden, nodeQuery as query, unauthenticated, usualErrors } from './shared';

const tag = 'agent';
const path = '/settings/agent/auth/providers';
const login = `${path}/{providerId}/login` as const;
const params = z.object({ providerId: z.string().min(1).max(128).describe('Id of the provider.') });
const providerUnavailable = {
  description: 'The provider cannot be reached, or answers with errors.',
  reasons: ['provider_unavailable'],
} as const;
const unknown = {
  description: 'The request is not valid, the provider is not configured, or it is meant for another node.',
  reasons: ['request_invalid', 'agent_provider_unknown', 'remote_node_unsupported'],
} as const;

export const listAgentAuthProviders = endpoint({
  method: 'GET',
  path,
  operationId: 'listAgentAuthProviders',
  tag,
  summary: 'List the providers with which the server signs in for models',
  access,
  query,
  success: { status: 200, description: 'All providers.', schema: ListAgentAuthProvidersResponse },
  errors: usualErrors,
});

export const startAgentAuthProviderLogin = endpoint({
  method: 'POST',
  path: login,
  operationId: 'startAgentAuthProviderLogin',
  audit: { category: 'agent', action: 'agent_login_start' },
  tag,
  summary: 'Begin a login at a provider',
  access,
  params,
  query,
  success: { status: 200, description: 'The login was begun.', schema: StartAgentAuthProviderLoginResponse },
  errors: { 400: unknown, 401: unauthenticated, 403: forbidden, 502: providerUnavailable },
});

export const completeAgentAuthProviderLogin = endpoint({
  method: 'POST',
  path: `${login}/complete`,
  operationId: 'completeAgentAuthProviderLogin',
  audit: { category: 'agent', action: 'agent_login_complete' },
  tag,
  summary: 'Complete a login with what the provider answered',
  access,
  params,
  query,
  body: CompleteAgentAuthProviderLoginRequest,
  success: { status: 200, description: 'The server is signed in.', schema: CompleteAgentAuthProviderLoginResponse },
  errors: {
    400: {
      description:
        'The request is not valid, the provider is not configured or refused the login, the login is unknown, used or expired, its state differs, or it is meant for another node.',
      reasons: [
        'request_invalid',
        'agent_provider_unknown',
        'agent_login_expired',
        'agent_login_refused',
        'remote_node_unsupported',
      ],
    },
    401: unauthenticated,
    403: forbidden,
    502: providerUnavailable,
  },
});

export const disconnectAgentAuthProviderLogin = endpoint({
  method: 'DELETE',
  path: login,
  operationId: 'disconnectAgentAuthProviderLogin',
  audit: { category: 'agent', action: 'agent_login_delete' },
  tag,
  summary: 'Delete the token of a provider',
  access,
  params,
  query,
  success: { status: 204, description: 'There is no token any more.' },
  errors: { 400: unknown, 401: unauthenticated, 403: forbidden },
});
