// Compiles the texts of a screen when it is built, so that the page needs no parser of ICU messages.
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** A plugin of Vite: every `messages.json`, also `<part>-messages.json`, becomes a module of compiled messages. */
export function compileMessages() {
  return {
    name: 'compile-messages',
    enforce: 'pre',
    transform(code, id) {
      if (!/[/\\-]messages\.json$/.test(id)) return undefined;
      const compiled = Object.entries(JSON.parse(code)).map(([key, text]) => [key, compileMessage(text)]);
      return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))};`, map: null, moduleType: 'js' };
    },
  };
}
