import { Secret } from '@weir/service-kit';
import type { UsableModel } from '../agent-settings';
import { toModelAccess } from './agent-models';

it.each(['openai', 'anthropic'] as const)('asks a model that speaks like %s with its effort', (protocol) => {
  const model: UsableModel = {
    id: 'small',
    name: 'Small',
    provider: 'local',
    protocol,
    model: 'small-1',
    baseUrl: 'https://models.invalid',
    apiKey: new Secret('hunter2'),
    contextWindow: undefined,
    maxOutputTokens: undefined,
    thinkingEffort: 'high',
    inputCostPer1M: undefined,
    cachedInputCostPer1M: undefined,
    outputCostPer1M: undefined,
  };

  expect(toModelAccess(model)).toMatchObject({ protocol, reasoningEffort: 'high' });
});
