import { aRunStep } from '../../testing/run-builders';
import { withReusedSteps } from './reuse-steps';

it('gives a reused step its end, and not the tokens of the run that executed it', () => {
  const use = { provider: 'p', model: 'm', hasOwnAddress: false, inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
  const earlier = aRunStep({ status: 'succeeded', exitCode: 0, modelUse: [use] });

  expect(withReusedSteps([aRunStep()], new Map([[0, earlier]]))).toMatchObject([
    { status: 'succeeded', exitCode: 0, modelUse: null },
  ]);
});
