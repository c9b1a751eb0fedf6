import { variableNames } from './variable-names';
import { validInput, invalidInput, type ParsedInput } from './parsed-input';
import { quoteInput } from './quote-input';

/** One of the variables that the action sets. */
export function parseVariable(text: string): ParsedInput<string> {
  if (variableNames.includes(text)) return validInput(text);
  return invalidInput(
    'variable_unknown',
    `is ${quoteInput(text)}, which the action does not set. Use some of ${variableNames.join(', ')}.`,
  );
}
