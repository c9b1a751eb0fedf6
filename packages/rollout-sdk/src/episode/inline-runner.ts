import { untilAborted } from '@weir/foundation';
import type { Agent } from './workflow';
import { EpisodeError } from './outcome';
import type { RunAgent } from './run-agent';

/**
 * Runs an agent in this process. Its code has to be asynchronous. Code that does not react to the abort of its signal
 * goes on after its time is over, but its session is gone then.
 */
export function createInlineRunner(agent: Agent, httpClient: typeof fetch): RunAgent {
  return async ({ data, baseUrl, apiKey, sampleIndex, signal, timeoutMs }) => {
    const over = new AbortController();
    const late = () => over.abort(new EpisodeError('timed_out', `The agent did not return within ${timeoutMs} ms.`));
    const cancel = () => over.abort(new EpisodeError('cancelled', 'The episode was cancelled.', signal.reason));
    const timer = setTimeout(late, timeoutMs);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      const kwargs = { baseUrl, apiKey, httpClient, signal: over.signal, sampleIndex };
      return await untilAborted(startAgent(agent, data, kwargs), over.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  };
}

async function startAgent(agent: Agent, data: unknown, kwargs: Parameters<Agent['run']>[1]): Promise<unknown> {
  try {
    return await agent.run(data, kwargs);
  } catch (error) {
    throw new EpisodeError('agent_failed', 'The agent failed.', error);
  }
}
