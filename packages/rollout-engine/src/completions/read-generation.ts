import type { GenerationEnd, GenerationEvent, TokenPiece } from '../engine/port/inference-engine';

export interface GenerationConsumer {
  /** Whether the answer is complete, even if the engine continues. */
  isOver(): boolean;
  take(piece: TokenPiece): void;
}

/** The limit of tokens that are read after a complete answer. */
const maxSurplusTokens = 32;

/**
 * Reads to the end of a generation, or until the answer is complete; `undefined` where the engine ended without an end
 * event. After a complete answer that would be doubted, a few more events are read: an engine that stops soon after
 * then reports what was missing.
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
    // The answer was complete before the failure.
    if (consumer.isOver()) return stoppedWith(doubt);
    throw error;
  }
  return undefined;
}

function stoppedWith(doubt: string | undefined): GenerationEnd {
  return { kind: 'end', reason: 'stop', ...(doubt === undefined ? {} : { doubt }) };
}
