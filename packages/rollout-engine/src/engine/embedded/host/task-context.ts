import type { LlamaContextSequence } from 'node-llama-cpp';
import type { HostMessage } from './host-messages';
import type { LoadedModel } from './llama-model';
import type { SequencePool } from './sequence-pool';

export interface TaskContext {
  readonly call: number;
  readonly model: LoadedModel;
  readonly sequences: SequencePool<LlamaContextSequence>;
  readonly post: (message: HostMessage) => void;
  readonly signal: AbortSignal;
}
