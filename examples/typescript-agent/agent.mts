import OpenAI from 'openai';

export interface Task {
  readonly question: string;
  readonly wanted: string;
}

interface ModelKwargs {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly httpClient?: typeof fetch;
}

/** Asks twice, and is rewarded for how often the wanted letter is in each answer. */
export class LetterAgent {
  async run({ question, wanted }: Task, { baseUrl, apiKey, httpClient }: ModelKwargs): Promise<Record<string, number>> {
    const client = new OpenAI({
      // In a process of its own, the agent finds its model in the environment.
      baseURL: baseUrl ?? process.env.LLM_BASE_URL,
      apiKey: apiKey ?? process.env.LLM_API_KEY,
      ...(httpClient && { fetch: httpClient }),
    });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
    const rewards: Record<string, number> = {};
    for (const next of ['Once more.', 'Thanks.']) {
      const { id, choices } = await client.chat.completions.create({
        model: 'any',
        messages,
        max_completion_tokens: 32,
      });
      const text = choices[0]?.message.content ?? '';
      rewards[id] = (text.split(wanted).length - 1) / Math.max(text.length, 1);
      messages.push({ role: 'assistant', content: text }, { role: 'user', content: next });
    }
    return rewards;
  }
}
