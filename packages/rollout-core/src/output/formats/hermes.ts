import { readLiteral, skipSpace } from '../text-source';
import { readCallObject } from './call-object';
import type { ToolFormat } from './tool-format';

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, as Hermes and Qwen 2.5 and 3 write it. */
export const hermesFormat: ToolFormat = {
  openers: ['<tool_call>'],
  bareOpeners: '',
  *readCalls(source, sink) {
    yield* skipSpace(source);
    const call = yield* readCallObject(source, sink);
    if (call !== 'ok') return call;
    yield* skipSpace(source);
    if ((yield* readLiteral(source, '</tool_call>')) === 'bad') return 'bad';
    sink.end();
    return 'ok';
  },
};
