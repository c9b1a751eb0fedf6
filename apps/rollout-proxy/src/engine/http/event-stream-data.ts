import { StringDecoder } from 'node:string_decoder';
import { engineFailed } from './engine-failure';
import type { EngineBody } from './engine-connection';

const dataPrefix = 'data:';

/**
 * The data of each event of an engine's stream. Engines send one line an event, and a line may come in any number of
 * pieces; other fields and comments are passed over.
 */
export async function* eventStreamData(body: EngineBody): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest: string[] = [];
  let restLength = 0;
  for await (const chunk of body.chunks) {
    const text = decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      // Kept in pieces until the line is whole, so that a slow drip costs no copy for each byte.
      const line = rest.length === 0 ? text.slice(from, at) : rest.join('') + text.slice(from, at);
      rest = [];
      restLength = 0;
      from = at + 1;
      if (line.startsWith(dataPrefix)) yield line.slice(dataPrefix.length).trim();
    }
    if (from >= text.length) continue;
    rest.push(text.slice(from));
    restLength += text.length - from;
    if (restLength > body.maxBytes) throw engineFailed('engine_answer_too_large');
  }
}
