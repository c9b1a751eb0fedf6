import { setTimeout as delay } from 'node:timers/promises';
import type { Agent, AgentKwargs } from '@weir/rollout-sdk';

interface Message {
  readonly role: string;
  readonly content: string;
}

interface Answered {
  readonly id: string;
  readonly message: Message;
}

const turns = 3;
const retryDelayMs = 25;

/** Three turns, whole and streamed ones in turn, each repeated until it is answered. Reports the id of each answer. */
export function createChaosAgent(onAnswered: (id: string) => void): Agent<{ readonly text: string }> {
  return {
    run: async ({ text }, kwargs) => {
      let messages: readonly Message[] = [{ role: 'user', content: text }];
      for (let turn = 0; turn < turns; turn += 1) {
        const { id, message } = await untilAnswered(() => ask(kwargs, messages, turn % 2 === 1));
        onAnswered(id);
        messages = [...messages, message, { role: 'user', content: `Go on, ${turn}.` }];
      }
      return messages.length % 2;
    },
  };
}

async function untilAnswered(call: () => Promise<Answered | undefined>): Promise<Answered> {
  for (;;) {
    const answered = await call();
    if (answered !== undefined) return answered;
    await delay(retryDelayMs);
  }
}

/** `undefined` where the engine was gone, before the answer or within it. */
async function ask(kwargs: AgentKwargs, messages: readonly Message[], stream: boolean): Promise<Answered | undefined> {
  const response = await (kwargs.httpClient ?? fetch)(`${kwargs.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${kwargs.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages, stream, max_tokens: 64 }),
    signal: kwargs.signal ?? null,
  });
  const text = await response.text();
  if (response.status >= 500) return undefined;
  if (!response.ok) throw new Error(`A call was answered with ${response.status}: ${text}`);
  return stream ? readStream(text) : readWhole(text);
}

function readWhole(text: string): Answered | undefined {
  const { id, choices } = JSON.parse(text) as { id: string; choices: readonly { message: Message }[] };
  const message = choices[0]?.message;
  return message === undefined ? undefined : { id, message: { role: 'assistant', content: message.content } };
}

interface StreamEvent {
  readonly id?: string;
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
}

/** A stream that broke off, or ended with an error, is no answer. */
function readStream(text: string): Answered | undefined {
  const data = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']) => json);
  if (data.at(-1) !== '[DONE]') return undefined;
  const events = data.slice(0, -1).map((json) => JSON.parse(json) as StreamEvent);
  const id = events[0]?.id;
  if (id === undefined || events.some(({ choices }) => choices === undefined)) return undefined;
  const content = events.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('');
  return { id, message: { role: 'assistant', content } };
}
