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
        return { matches, next_cursor: positionOf(session, interaction), searched_interactions: searched };
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

/** Answers of several processes to one request as one answer. A session that has just moved may be in two of them. */
export function mergeSearches(all: readonly SearchResponse[], { limit }: Pick<SearchRequest, 'limit'>): SearchResponse {
  const searched = all.reduce((sum, { searched_interactions: count }) => sum + count, 0);
  // What is behind the first end was not searched by all of them: the next call finds it again.
  const [end] = all.flatMap(({ next_cursor: cursor }) => cursor ?? []).toSorted(comparePositions);
  const found = new Map(all.flatMap(({ matches }) => [...Map.groupBy(matches, ({ position }) => position)]));
  const matches: SearchMatch[] = [];
  for (const [position, ofInteraction] of [...found].toSorted(([one], [other]) => comparePositions(one, other))) {
    if (end !== undefined && comparePositions(position, end) >= 0) break;
    if (matches.length >= limit) return { matches, next_cursor: position, searched_interactions: searched };
    matches.push(...ofInteraction);
  }
  return { matches, next_cursor: end ?? null, searched_interactions: searched };
}

/** The latest session first, and in it the first interaction. */
function comparePositions(one: string, other: string): number {
  const [left, right] = [parseCursor(one), parseCursor(other)];
  return right.number - left.number || left.index - right.index;
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
      position: positionOf(session, interaction),
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

const positionOf = ({ number }: Session, { index }: Interaction): string => `${number}.${index}`;

function parseCursor(cursor: string): { readonly number: number; readonly index: number } {
  const [, number, index] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (number === undefined || index === undefined) throw cursorInvalid();
  return { number: Number(number), index: Number(index) };
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
