import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';

const add = tool({
  description: 'Adds two numbers',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
});

export class Adder {
  async run({ question }) {
    const provider = createOpenAICompatible({
      name: 'trainer',
      baseURL: process.env.LLM_BASE_URL,
      apiKey: process.env.LLM_API_KEY,
    });
    const { text } = await generateText({
      model: provider('any'),
      prompt: question,
      tools: { add },
      stopWhen: isStepCount(4),
    });
    return text === 'It is 5.' ? 1 : 0;
  }
}
