import type { GenerationEnd, GenerationEvent, TokenPiece } from '../engine/inference-engine';

export interface GenerationConsumer {
  /** Whether the answer is over, whatever the engine goes on with. */
  isOver(): boolean;
  take(piece: TokenPiece): void;
}

/** How far an engine is read on behind an answer that is over. */
const maxSurplusTokens = 32;

/**
 * Reads to the end of a generation, or until the answer is over; `undefined` where the engine ended without an end.
 * Behind an answer that would be doubted where it is over, the engine is read on for a little: an engine that stops at
 * the same text, or soon after, then says what was missing.
 */
export async function readGeneration(
  events: AsyncIterable<GenerationEvent>,
  consumer: GenerationConsumer,
): Promise<GenerationEnd | undefined> {
  let doubt: string | undefined;
  let surplus = 0;
  try {
    for await (const event of events) {
      if (event.kind === 'end') return consumer.isOver() ? { ...event, reason: 'stop' } : event;
      if (consumer.isOver()) surplus += event.tokens.ids.length;
      else consumer.take(event);
      ({ doubt } = event);
      if (consumer.isOver() && (doubt === undefined || surplus > maxSurplusTokens)) return stoppedWith(doubt);
    }
  } catch (error) {
    // The answer is whole, whatever happens behind it.
    if (consumer.isOver()) return stoppedWith(doubt);
    throw error;
  }
  return undefined;
}

function stoppedWith(doubt: string | undefined): GenerationEnd {
  return { kind: 'end', reason: 'stop', ...(doubt === undefined ? {} : { doubt }) };
}
