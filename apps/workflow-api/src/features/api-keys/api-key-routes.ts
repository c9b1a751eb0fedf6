import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentApiKey } from './api-key-presenter';
import type { ApiKeyService, OwnedApiKey } from './api-key-service';

export function bindApiKeyRoutes(bind: Bind, apiKeys: ApiKeyService): void {
  bind(workflowContract.listApiKeys, async () => ({ apiKeys: (await apiKeys.list()).map(present) }));

  bind(workflowContract.createApiKey, async ({ input, principal, audit }) => {
    const created = await apiKeys.create(input.body, { principal, audit });
    return { apiKey: present(created), key: created.key };
  });

  bind(workflowContract.getApiKey, async ({ input }) => ({
    apiKey: present(await apiKeys.get(input.params.keyId)),
  }));

  bind(workflowContract.updateApiKey, async ({ input, audit }) => ({
    apiKey: present(await apiKeys.update(input.params.keyId, input.body, audit)),
  }));

  bind(workflowContract.rotateApiKey, async ({ input, audit }) => {
    const rotated = await apiKeys.rotate(input.params.keyId, audit);
    return { apiKey: present(rotated), key: rotated.key };
  });

  bind(workflowContract.deleteApiKey, async ({ input, audit }) => {
    await apiKeys.remove(input.params.keyId, audit);
    return undefined;
  });
}

function present({ apiKey, owner }: OwnedApiKey) {
  return presentApiKey(apiKey, owner);
}
