import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentConfig, type ConfigService } from './config-service';
import type { MemoryService } from './memory-service';

export function bindConfigRoutes(bind: Bind, config: ConfigService): void {
  bind(workflowContract.getAgentConfig, async () => {
    return presentConfig(await config.read());
  });

  bind(workflowContract.updateAgentConfig, async ({ input: { body }, audit }) => {
    return presentConfig(await config.update(body, audit));
  });

  bind(workflowContract.listAgentTools, async () => {
    return { tools: [...(await config.listTools())] };
  });
}

export function bindMemoryRoutes(bind: Bind, memories: MemoryService): void {
  bind(workflowContract.getAgentMemory, async () => {
    const dagMemories = [...(await memories.listDagNames())];
    return { globalMemory: await memories.read(), dagMemories, memoryDir: '' };
  });

  bind(workflowContract.updateAgentMemory, async ({ input: { body }, audit }) => {
    await memories.write(body.content, audit);
  });

  bind(workflowContract.deleteAgentMemory, async ({ audit }) => {
    await memories.remove(audit);
  });

  bind(workflowContract.getAgentDagMemory, async ({ input: { params } }) => {
    return { dagName: params.dagName, content: await memories.read(params.dagName) };
  });

  bind(workflowContract.updateAgentDagMemory, async ({ input: { params, body }, audit }) => {
    await memories.write(body.content, audit, params.dagName);
  });

  bind(workflowContract.deleteAgentDagMemory, async ({ input: { params }, audit }) => {
    await memories.remove(audit, params.dagName);
  });
}
