import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentSoul } from './soul-presenter';
import type { SoulService } from './soul-service';

export function bindSoulRoutes(bind: Bind, souls: SoulService): void {
  bind(workflowContract.listAgentSouls, async ({ input: { query } }) => {
    const { souls: found, pagination } = await souls.list(query);
    return { souls: found.map((soul) => ({ ...presentSoul(soul), content: undefined })), pagination };
  });

  bind(workflowContract.createAgentSoul, async ({ input: { body }, audit }) => {
    return presentSoul(await souls.create(body, audit));
  });

  bind(workflowContract.getAgentSoul, async ({ input: { params } }) => {
    return presentSoul(await souls.get(params.soulId));
  });

  bind(workflowContract.updateAgentSoul, async ({ input: { params, body }, audit }) => {
    return presentSoul(await souls.update(params.soulId, body, audit));
  });

  bind(workflowContract.deleteAgentSoul, async ({ input: { params }, audit }) => {
    await souls.remove(params.soulId, audit);
  });
}
