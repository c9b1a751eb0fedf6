import type { Message } from './message';

/** The messages as clients send them: an answer and what was appended to it are one. */
export function mergeContinuations(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ continues }) => continues === true)) return messages;
  const merged: Message[] = [];
  for (const message of messages) {
    const answer = message.continues === true ? merged.pop() : undefined;
    merged.push(answer === undefined ? message : { ...answer, content: answer.content + message.content });
  }
  return merged;
}
