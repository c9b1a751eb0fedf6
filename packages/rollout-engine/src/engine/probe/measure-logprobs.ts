import type { LogprobMode } from '../http/dialect';
import type { ProbeDeps } from './probe-deps';
import { tryGeneration } from './try-generation';

const texts = ['Once upon a time', 'I think that', 'The answer to the question'];
const coldTemperature = 0.05;
/** Above this, both kinds are indistinguishable. */
const certain = -0.2;

/**
 * Detects whether log-probabilities include the temperature by sampling one token at a high and a low one: at the low
 * one the most likely token is almost certain where they do, and as likely as before where they do not.
 */
export async function measureLogprobs(deps: ProbeDeps): Promise<LogprobMode> {
  let mode: LogprobMode = 'none';
  for (const text of texts) {
    const options = { text, isStreaming: false, topLogprobs: 1, maxNewTokens: 1 };
    const hot = await tryGeneration(deps, { ...options, sampling: { temperature: 1 } });
    const cold = await tryGeneration(deps, { ...options, sampling: { temperature: coldTemperature } });
    if (isWithout(hot.doubts) || isWithout(cold.doubts)) continue;
    mode = 'unknown';
    const likeliest = hot.top[0]?.[0]?.logprob ?? hot.logprobs[0];
    const sampled = cold.logprobs[0];
    if (likeliest === undefined || sampled === undefined || likeliest > certain) continue;
    if (sampled > likeliest / 4) return 'processed';
    // Rounding differs slightly between batches.
    if (Math.abs(sampled - likeliest) < 0.05) return 'raw';
  }
  return mode;
}

function isWithout(doubts: readonly string[]): boolean {
  return doubts.some((doubt) => doubt === 'logprobs_missing' || doubt === 'logprobs_miscounted');
}
