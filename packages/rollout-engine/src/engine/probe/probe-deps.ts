import type { ExpertShape, Recording } from '../port/recording';
import type { Dialect } from '../http/dialect';
import type { AnswerLedger } from '../http/answer-ledger';
import type { EngineConnection } from '../http/engine-connection';
import type { GenerationEvent, GenerationRequest } from '../port/inference-engine';
import type { EncodeText } from '../port/tokenizer-parity';

export type Generate = (
  request: GenerationRequest,
  signal: AbortSignal,
  observe: (ledger: AnswerLedger) => void,
) => AsyncIterable<GenerationEvent>;

export interface ProbeDeps {
  readonly dialect: Dialect;
  readonly connection: EngineConnection;
  readonly generate: Generate;
  readonly encode: EncodeText | undefined;
  /** What the service records of calls by default. */
  readonly recording: Partial<Recording>;
  /** That of the model, where experts may be recorded. */
  readonly expertShape: ExpertShape | undefined;
  readonly signal: AbortSignal;
}
