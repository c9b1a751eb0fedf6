import type { AgentUserPromptResponse } from '@weir/workflow-contract/schemas';
import { answerInvalid } from './agent-errors';
import type { NewMessage, PendingPrompt } from './agent-session';
import { approve } from './execute-call';

type Answer = Pick<NewMessage, 'type' | 'content' | 'data'>;

/** Returns the result or the approval that the answer of a person adds to the session. Throws `agent_answer_invalid`. */
export function readAnswer(prompt: PendingPrompt, answer: AgentUserPromptResponse): Answer {
  const { cancelled = false, selectedOptionIds: chosen = [], freeTextResponse: text = '' } = answer;
  if (prompt.promptType === 'command_approval')
    return readDecision(prompt, cancelled ? [] : checkOptions(prompt, chosen), cancelled);
  if (cancelled) return toResult(prompt, 'The person gives no answer.');
  const labels = checkOptions(prompt, chosen).map(
    (id) => prompt.options?.find((option) => option.id === id)?.label ?? '',
  );
  const parts = [...labels, ...(text.trim() === '' ? [] : [text])];
  if (parts.length === 0) throw answerInvalid('The answer is empty; choose an option, write a text, or cancel.');
  return toResult(prompt, parts.join('\n'));
}

function readDecision({ toolCallId }: PendingPrompt, chosen: readonly string[], isCancelled: boolean): Answer {
  if (!isCancelled && chosen.length === 0) throw answerInvalid('An approval needs one of the options.');
  const isApproved = chosen.includes(approve);
  return { type: 'user', content: isApproved ? 'Yes' : 'No', data: { approval: { toolCallId, isApproved } } };
}

function checkOptions({ options = [], multiSelect }: PendingPrompt, chosen: readonly string[]): readonly string[] {
  const unknown = chosen.find((id) => !options.some((option) => option.id === id));
  if (unknown !== undefined) throw answerInvalid(`The prompt has no option "${unknown}".`);
  if (chosen.length > 1 && !multiSelect) throw answerInvalid('Only one option may be chosen.');
  return chosen;
}

function toResult({ toolCallId }: PendingPrompt, content: string): Answer {
  return { type: 'user', content, data: { toolResults: [{ toolCallId, content, isError: false }] } };
}
