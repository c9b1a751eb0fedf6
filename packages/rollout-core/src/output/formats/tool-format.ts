import type { CallSink } from '../call-sink';
import type { Reader, Reading, TextSource } from '../text-source';

/** How one family of models writes its calls. */
export interface ToolFormat {
  /** Texts that begin a call wherever they are. */
  readonly openers: readonly string[];
  /** Characters that begin a call only at the start of the answer or behind another call. They are not taken. */
  readonly bareOpeners: string;
  /**
   * Reads behind an opener; `opener` is empty behind a bare one. May tell several calls. Answers `ok` when all is read,
   * else what was read since the last call that ended becomes text.
   */
  readCalls(source: TextSource, sink: CallSink, opener: string): Reader<Reading>;
}
