import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { ProviderLogins } from './provider-logins';

const instructions =
  'Open the address and sign in. Then copy the address to which the browser was sent, even if it shows no page, or the code.';

export function bindProviderRoutes(bind: Bind, logins: ProviderLogins): void {
  bind(workflowContract.listAgentAuthProviders, async () => {
    return { providers: await logins.list() };
  });

  bind(workflowContract.startAgentAuthProviderLogin, async ({ input: { params }, principal }) => {
    return { ...(await logins.start(params.providerId, principal.id)), instructions };
  });

  bind(workflowContract.completeAgentAuthProviderLogin, async ({ input: { params, body }, principal, audit }) => {
    return {
      provider: await logins.complete(params.providerId, body.flowId, body, { principalId: principal.id, audit }),
    };
  });

  bind(workflowContract.disconnectAgentAuthProviderLogin, async ({ input: { params }, audit }) => {
    await logins.disconnect(params.providerId, audit);
  });
}
