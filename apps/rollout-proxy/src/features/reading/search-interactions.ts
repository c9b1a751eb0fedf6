import type { SearchMatch, SearchResponse } from '@weir/rollout-contract';
import { yieldToEventLoop } from '@weir/foundation';
import type { Interaction, Message } from '@weir/rollout-core';
import { cursorInvalid, type Session } from '../sessions';

export interface SearchRequest {
  readonly text: string;
  readonly matchCase: boolean;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The limit of one search in characters, and how many of them block the event loop at once. */
const maxCharacters = 8_000_000;
const sliceCharacters = 500_000;
/** The number of characters shown around a match. */
const margin = 80;

/**
 * Finds a text in what sessions have stored, the latest session first. Stops at the limit of matches or after a bounded
 * amount of text; the cursor says where the next call goes on. Throws `invalid_request` for another cursor, and rejects
 * with the reason of the signal.
 */
export async function searchInteractions(
  sessions: readonly Session[],
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const start = request.cursor === undefined ? undefined : parseCursor(request.cursor);
  const pattern = new RegExp(escape(request.text), request.matchCase ? '' : 'i');
  const matches: SearchMatch[] = [];
  let searched = 0;
  let characters = 0;
  let slice = 0;
  for (const session of sessions.toSorted((one, other) => other.number - one.number)) {
    if (start !== undefined && session.number > start.number) continue;
    const from = session.number === start?.number ? start.index : 0;
    for (const interaction of session.cache) {
      if (interaction.index < from) continue;
      if (matches.length >= request.limit || characters >= maxCharacters) {
        const nextCursor = `${session.number}.${interaction.index}`;
        return { matches, next_cursor: nextCursor, searched_interactions: searched };
      }
      characters += searchInteraction(session, interaction, pattern, matches);
      searched += 1;
      if (characters - slice < sliceCharacters) continue;
      slice = characters;
      await yieldToEventLoop();
      signal.throwIfAborted();
    }
  }
  return { matches, next_cursor: null, searched_interactions: searched };
}

/** Adds the matches of an interaction, and returns how many characters it has. */
function searchInteraction(
  session: Session,
  interaction: Interaction,
  pattern: RegExp,
  matches: SearchMatch[],
): number {
  let characters = 0;
  const look = (text: string, role: string, part: SearchMatch['part']): void => {
    characters += text.length;
    const found = pattern.exec(text);
    if (found === null) return;
    const end = found.index + found[0].length;
    matches.push({
      session_id: session.id,
      task_id: session.taskId,
      interaction_id: interaction.id,
      role,
      part,
      before: text.slice(Math.max(0, found.index - margin), found.index),
      match: found[0],
      after: text.slice(end, end + margin),
    });
  };
  if (interaction.index === 0) look(session.id, 'session', 'id');
  look(interaction.id, 'interaction', 'id');
  for (const message of [...interaction.newMessages, interaction.output]) lookAtMessage(message, look);
  return characters;
}

function lookAtMessage(
  { role, content, reasoning = '', toolCalls = [] }: Message,
  look: (text: string, role: string, part: SearchMatch['part']) => void,
): void {
  look(content, role, 'content');
  look(reasoning, role, 'reasoning');
  for (const call of toolCalls) {
    look(call.name, role, 'tool_name');
    look(call.arguments, role, 'tool_arguments');
  }
}

function parseCursor(cursor: string): { readonly number: number; readonly index: number } {
  const [, number, index] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (number === undefined || index === undefined) throw cursorInvalid();
  return { number: Number(number), index: Number(index) };
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
