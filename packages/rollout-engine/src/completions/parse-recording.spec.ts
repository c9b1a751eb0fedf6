import { parseRecording } from './parse-recording';

describe('parseRecording', () => {
  it('reads what a call asks to be kept', () => {
    expect(parseRecording('top_logprobs=5')).toEqual({ topLogprobs: 5 });
    expect(parseRecording(' top_logprobs = 0, routed_experts=true,prompt_logprobs=false,sampling_mask=true ')).toEqual({
      topLogprobs: 0,
      routedExperts: true,
      promptLogprobs: false,
      samplingMask: true,
    });
  });

  it.each([
    '',
    'top_logprobs',
    'top_logprobs=-1',
    'top_logprobs=129',
    'top_logprobs=1.5',
    'everything=1',
    'toString=1',
    'routed_experts=1',
  ])('refuses %p', (text) => {
    const refusal = expect.objectContaining({ code: 'invalid_request', reason: 'request_invalid' }) as Error;
    expect(() => parseRecording(text)).toThrow(refusal);
  });
});
