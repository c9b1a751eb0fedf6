import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentApiKey } from './api-key-presenter';
import type { ApiKeyService } from './api-key-service';

export function bindApiKeyRoutes(bind: Bind, apiKeys: ApiKeyService): void {
  bind(workflowContract.listApiKeys, async () => ({ apiKeys: (await apiKeys.list()).map(presentApiKey) }));

  bind(workflowContract.createApiKey, async ({ input, principal, audit }) => {
    const { apiKey, key } = await apiKeys.create(input.body, { principal, audit });
    return { apiKey: presentApiKey(apiKey), key };
  });

  bind(workflowContract.getApiKey, async ({ input }) => ({
    apiKey: presentApiKey(await apiKeys.get(input.params.keyId)),
  }));

  bind(workflowContract.updateApiKey, async ({ input, audit }) => ({
    apiKey: presentApiKey(await apiKeys.update(input.params.keyId, input.body, audit)),
  }));

  bind(workflowContract.rotateApiKey, async ({ input, audit }) => {
    const { apiKey, key } = await apiKeys.rotate(input.params.keyId, audit);
    return { apiKey: presentApiKey(apiKey), key };
  });

  bind(workflowContract.deleteApiKey, async ({ input, audit }) => {
    await apiKeys.remove(input.params.keyId, audit);
    return undefined;
  });
}
