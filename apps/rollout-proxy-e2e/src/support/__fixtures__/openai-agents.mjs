import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { z } from 'zod';

export class Adder {
  async run({ question }) {
    const modelProvider = new OpenAIProvider({
      baseURL: process.env.LLM_BASE_URL,
      apiKey: process.env.LLM_API_KEY,
    });
    const add = tool({
      name: 'add',
      description: 'Adds two numbers',
      parameters: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => String(a + b),
    });
    const agent = new Agent({ name: 'adder', model: 'any', tools: [add] });
    const { finalOutput } = await new Runner({ modelProvider, tracingDisabled: true }).run(agent, question);
    return finalOutput === 'It is 5.' ? 1 : 0;
  }
}
