import { wrong, type Wrong } from './parsed';
import { show } from './show';

/** What goes wrong on the way into any input that holds one word, whatever the word means. */
export function findSlip(text: string): Wrong | undefined {
  return findQuotes(text) ?? findUnexpanded(text) ?? findSpaces(text);
}

export function findQuotes(text: string): Wrong | undefined {
  if (!/^["'`]|["'`]$/.test(text)) return undefined;
  return wrong('text_quoted', 'has a quotation mark at its start or end that is part of the value. Take it away.');
}

/** The value is not repeated: it may be a secret that begins like a variable. */
export function findUnexpanded(text: string): Wrong | undefined {
  if (!/^\$(?:\w+|\{.*\})$/.test(text)) return undefined;
  return wrong(
    'text_not_expanded',
    'is the name of a shell variable, not its value: no shell reads inputs. Write ${{ env.NAME }}, ${{ vars.NAME }} or ${{ secrets.NAME }}.',
  );
}

function findSpaces(text: string): Wrong | undefined {
  if (!/\s/.test(text)) return undefined;
  return wrong('text_with_spaces', `has a space or a line break in it: ${show(text)}. Take it out.`);
}
