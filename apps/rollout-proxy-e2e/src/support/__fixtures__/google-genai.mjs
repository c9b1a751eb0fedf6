import { GoogleGenAI, Type } from '@google/genai';

const numbers = { a: { type: Type.INTEGER }, b: { type: Type.INTEGER } };
const add = {
  name: 'add',
  description: 'Adds two numbers',
  parameters: { type: Type.OBJECT, properties: numbers, required: ['a', 'b'] },
};

export class Adder {
  async run({ question }) {
    const client = new GoogleGenAI({
      apiKey: process.env.LLM_API_KEY,
      httpOptions: { baseUrl: process.env.LLM_BASE_URL },
    });
    const chat = client.chats.create({ model: 'any', config: { tools: [{ functionDeclarations: [add] }] } });
    const { functionCalls = [] } = await chat.sendMessage({ message: question });
    const message = functionCalls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: String(args.a + args.b) } },
    }));
    const answer = await chat.sendMessage({ message });
    return answer.text === 'It is 5.' ? 1 : 0;
  }
}
