import { invalidInput, type InvalidInput } from './parsed-input';
import { quoteInput } from './quote-input';

/** Finds mistakes that are possible in any input without spaces. */
export function findCommonMistake(text: string): InvalidInput | undefined {
  return findQuotes(text) ?? findUnexpanded(text) ?? findSpaces(text);
}

export function findQuotes(text: string): InvalidInput | undefined {
  if (!/^["'`]|["'`]$/.test(text)) return undefined;
  return invalidInput('text_quoted', 'starts or ends with a quotation mark that is part of the value. Remove it.');
}

/** The message does not repeat the value: it may be a secret that starts like a variable. */
export function findUnexpanded(text: string): InvalidInput | undefined {
  if (!/^\$(?:\w+|\{.*\})$/.test(text)) return undefined;
  return invalidInput(
    'text_not_expanded',
    'is the name of a shell variable, not its value: no shell expands inputs. Use ${{ env.NAME }}, ${{ vars.NAME }} or ${{ secrets.NAME }}.',
  );
}

function findSpaces(text: string): InvalidInput | undefined {
  if (!/\s/.test(text)) return undefined;
  return invalidInput('text_with_spaces', `contains a space or a line break: ${quoteInput(text)}. Remove it.`);
}
