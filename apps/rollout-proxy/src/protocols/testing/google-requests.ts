import { Type } from '@google/genai';

export const asked = { model: 'm', contents: 'Say hello.' };
export const body = { contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] };
export const unary = '/v1beta/models/m:generateContent';
export const streamed = '/v1beta/models/m:streamGenerateContent?alt=sse';
export const weather = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING, nullable: true } }, required: ['city'] },
};
export const tools = [{ functionDeclarations: [weather] }];

export const user = (...parts: object[]) => ({ role: 'user', parts });
export const answer = (...parts: object[]) => ({ role: 'model', parts });
export const functionCall = (name: string, more: object = {}) => ({ functionCall: { name, ...more } });
export const functionResponse = (name: string, output: string, more: object = {}) => ({
  functionResponse: { name, response: { output }, ...more },
});
