import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentModel } from './model-presenter';
import { modelPresets } from './model-presets';
import type { ModelService } from './model-service';

export function bindModelRoutes(bind: Bind, models: ModelService): void {
  bind(workflowContract.listAgentModels, async () => {
    const { models: all, defaultModelId } = await models.list();
    return { models: all.map(presentModel), ...(defaultModelId === null ? {} : { defaultModelId }) };
  });

  bind(workflowContract.createAgentModel, async ({ input: { body }, audit }) => {
    return presentModel(await models.create(body, audit));
  });

  bind(workflowContract.updateAgentModel, async ({ input: { params, body }, audit }) => {
    return presentModel(await models.update(params.modelId, body, audit));
  });

  bind(workflowContract.deleteAgentModel, async ({ input: { params }, audit }) => {
    await models.remove(params.modelId, audit);
  });

  bind(workflowContract.setDefaultAgentModel, async ({ input: { body }, audit }) => {
    return { defaultModelId: await models.setDefault(body.modelId, audit) };
  });

  bind(workflowContract.listModelPresets, () => {
    return { presets: [...modelPresets] };
  });
}
