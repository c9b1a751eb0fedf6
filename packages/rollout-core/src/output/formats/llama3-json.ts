import { readLiteral, skipSpace } from '../text-source';
import { readCallObject } from './call-object';
import type { ToolFormat } from './tool-format';

/** `{"name": …, "parameters": …}`, at the start of the answer or behind `<|python_tag|>`; several with `;` between them. */
export const llama3JsonFormat: ToolFormat = {
  openers: ['<|python_tag|>'],
  bareOpeners: '{;',
  *readCalls(source, sink, opener) {
    if (opener === '') yield* readLiteral(source, ';');
    yield* skipSpace(source);
    const call = yield* readCallObject(source, sink);
    if (call === 'ok') sink.end();
    return call;
  },
};
