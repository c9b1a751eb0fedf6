import { z } from 'zod';
import { isAppError } from '@weir/foundation';
import { Secret, type Logger } from '@weir/service-kit';
import type { AgentAuthProviderStatus } from '@weir/workflow-contract/schemas';
import type { Clock } from '@weir/workflow-engine/model';
import type { Audited, AuditedOperation } from '../../access/audited-operation';
import type { RandomSource } from '../../adapters/random-source';
import type { Sealer } from '../../encryption';
import type { OidcClient } from '../../oidc';
import { providerUnknown } from './agent-setting-errors';
import { loginContext, type LoginRepository, type StoredLogin } from './agent-stores';
import { createLoginFlows } from './login-flow';
import { createProviderClient, type ProviderAnswer, type ProviderClient, type ProviderToken } from './provider-client';
import type { ModelLoginProvider } from './provider-config';

export interface ProviderLoginPorts {
  readonly providers: readonly ModelLoginProvider[];
  readonly agentStores: { readonly logins: LoginRepository };
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
  readonly fetch: OidcClient['fetch'];
}

export type ProviderLogins = ReturnType<typeof createProviderLogins>;

/** A token is renewed when its remaining lifetime is at most this. */
const reserveMs = 60_000;
const Tokens = z.object({ accessToken: z.string(), refreshToken: z.string().optional() });

/** Who completes a login. */
interface LoginOwner extends Audited {
  readonly principalId: string;
}

/** Signs the server in with providers, and returns the tokens with which it calls their models. */
export function createProviderLogins(ports: ProviderLoginPorts) {
  const { providers, sealer, clock, random } = ports;
  const { logins } = ports.agentStores;
  const known = new Map(
    providers.map((provider) => [provider.id, { provider, client: createProviderClient(provider, ports.fetch) }]),
  );
  const flows = createLoginFlows(sealer, clock, random);
  const find = (id: string) => {
    const found = known.get(id);
    if (found === undefined) throw providerUnknown(id);
    return found;
  };
  const toStatus = ({ id, name }: ModelLoginProvider, login: StoredLogin | undefined): AgentAuthProviderStatus => {
    if (login === undefined) return { id, name, connected: false };
    const { expiresAt, canRefresh, accountId } = login;
    const connected = canRefresh || expiresAt === null || expiresAt > clock.now();
    return {
      id,
      name,
      connected,
      canRefresh,
      ...(expiresAt === null ? {} : { expiresAt: expiresAt.toISOString() }),
      ...(accountId === null ? {} : { accountId }),
    };
  };
  const access = createTokenAccess(ports);

  return {
    list: () => Promise.all(providers.map(async (provider) => toStatus(provider, await logins.find(provider.id)))),

    /** Rejects with `agent_provider_unknown` or `provider_unavailable`. */
    async start(providerId: string, principalId: string) {
      const { address, checks } = await find(providerId).client.begin();
      return { flowId: await flows.begin({ ...checks, providerId, principalId }), authUrl: address };
    },

    /** Also rejects with `agent_login_expired` or `agent_login_refused`. */
    async complete(providerId: string, flowId: string, answer: ProviderAnswer, by: LoginOwner) {
      const { provider, client } = find(providerId);
      const flow = await flows.take(flowId, { providerId, principalId: by.principalId });
      const token = await client.finish(answer, flow).catch((error: unknown) => {
        if (isAppError(error) && error.reason === 'provider_unavailable') flows.giveBack(flowId);
        throw error;
      });
      const login = await sealToken(token, { providerId, accountId: null, connectedAt: clock.now() }, ports);
      await logins.save(login, by.audit);
      return toStatus(provider, login);
    },

    async disconnect(providerId: string, audit: AuditedOperation): Promise<void> {
      await logins.remove(find(providerId).provider.id, audit);
    },

    /** Returns the token for models at this address, or `undefined` where no provider is signed in for it. */
    async tokenFor(address: string): Promise<Secret | undefined> {
      const found = [...known.values()].find(({ provider }) => originOf(provider.baseUrl) === originOf(address));
      return found === undefined ? undefined : access(found.provider.id, found.client);
    },
  };
}

/** Opens the token of a provider, and renews it shortly before it expires. */
function createTokenAccess(ports: ProviderLoginPorts) {
  const { sealer, clock, logger } = ports;
  const { logins } = ports.agentStores;
  // A refresh token may be valid only once.
  const renewals = new Map<string, Promise<string | undefined>>();

  const renew = async (
    login: StoredLogin,
    refreshToken: string,
    client: ProviderClient,
  ): Promise<string | undefined> => {
    try {
      const token = await client.refresh(refreshToken);
      if (await logins.renew(login, await sealToken(token, login, ports))) return token.accessToken;
    } catch (error) {
      if (!isAppError(error) || error.reason !== 'agent_login_refused') throw error;
      logger.warn({ provider: login.providerId, error }, 'the login at a provider of models does not count any more');
      await logins.renew(login, { ...login, canRefresh: false });
    }
    // Another process may have renewed it first.
    const present = await logins.find(login.providerId);
    return present === undefined || present.text === login.text ? undefined : (await open(present)).accessToken;
  };
  const open = async (login: StoredLogin) =>
    Tokens.parse(JSON.parse(await sealer.open(login, loginContext(login.providerId))));

  return async (providerId: string, client: ProviderClient): Promise<Secret | undefined> => {
    const login = await logins.find(providerId);
    if (login === undefined) return undefined;
    const { accessToken, refreshToken } = await open(login);
    if (login.expiresAt === null || login.expiresAt.getTime() - clock.now().getTime() > reserveMs) {
      return new Secret(accessToken);
    }
    if (!login.canRefresh || refreshToken === undefined) {
      return login.expiresAt > clock.now() ? new Secret(accessToken) : undefined;
    }
    const renewal = renewals.get(providerId) ?? renew(login, refreshToken, client);
    renewals.set(providerId, renewal);
    const renewed = await renewal.finally(() => renewals.delete(providerId));
    return renewed === undefined ? undefined : new Secret(renewed);
  };
}

async function sealToken(
  { accessToken, refreshToken, expiresInSeconds, accountId }: ProviderToken,
  former: Pick<StoredLogin, 'providerId' | 'accountId' | 'connectedAt'>,
  { sealer, clock }: Pick<ProviderLoginPorts, 'sealer' | 'clock'>,
): Promise<StoredLogin> {
  const { providerId, connectedAt } = former;
  return {
    providerId,
    connectedAt,
    accountId: accountId ?? former.accountId,
    canRefresh: refreshToken !== undefined,
    ...(await sealer.seal(JSON.stringify({ accessToken, refreshToken }), loginContext(providerId))),
    expiresAt: expiresInSeconds === undefined ? null : new Date(clock.now().getTime() + expiresInSeconds * 1000),
  };
}

const originOf = (address: string): string => new URL(address).origin;
