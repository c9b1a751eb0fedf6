import type { GenerationRequest } from '../port/inference-engine';
import { AnswerLedger } from './answer-ledger';

const request: GenerationRequest = {
  requestId: 'r',
  sessionId: 's',
  promptIds: Int32Array.of(1),
  maxNewTokens: 8,
  sampling: {},
  stopTokenIds: [],
  stop: [],
  topLogprobs: 0,
  isStreaming: true,
};

describe('AnswerLedger', () => {
  it('quarantines a chunk whose versions do not reach its end', () => {
    const ledger = new AnswerLedger(request);
    for (const id of [5, 6]) ledger.push(id, -0.5);
    ledger.setVersionSpans([{ version: 3, start: 0, end: 1 }]);
    expect(ledger.takePiece()?.doubt).toBe('version_spans_invalid');
    ledger.setVersionSpans([{ version: 3, start: 0, end: 3 }]);
    ledger.push(7, -0.5);
    expect(ledger.takePiece()?.doubt).toBeUndefined();
    ledger.setEndReason('stop');
    expect(ledger.finish().doubt).toBeUndefined();
  });
});
