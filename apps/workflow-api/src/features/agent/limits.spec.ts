import { reachedLimit } from './limits';

const limits = { maxSteps: 3, maxTokens: 100, maxCost: 1 };

it.each([
  ['steps', { steps: 3, tokens: 0, cost: 0 }, 'The limit of 3 steps for one message is reached. Write again to go on.'],
  ['tokens', { steps: 0, tokens: 100, cost: 0 }, 'The session has used 100 tokens; its limit is 100. Start a new one.'],
  ['cost', { steps: 0, tokens: 0, cost: 1 }, 'The session has cost 1.00 US dollars; its limit is 1. Start a new one.'],
])('names the reached limit: %s', (_, used, message) => {
  expect(reachedLimit(used, limits)).toBe(message);
});

it('lets a session continue below its limits', () => {
  expect(reachedLimit({ steps: 2, tokens: 99, cost: 0.99 }, limits)).toBeUndefined();
});
