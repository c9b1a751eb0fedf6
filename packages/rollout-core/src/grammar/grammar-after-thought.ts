import { createGrammarRules, terminal } from './grammar-rules';
import { textWithout } from './text-without';

/**
 * The grammar of an answer that begins inside a thought: any text, the mark that closes it, at most two line breaks, and
 * what the given grammar allows.
 * @param open The mark with which the model itself opens a thought. The answer then begins with a whole thought, with
 * only the mark that closes one, or without either. Default: the prompt has opened it.
 */
export function grammarAfterThought(grammar: string, close: string, open?: string): string {
  const rules = createGrammarRules({ namePrefix: 't' });
  const thought = textWithout([close], rules);
  const end = String.raw`${terminal(close)} [\n]{0,2}`;
  const front = open === undefined ? `${thought} ${end}` : `((${terminal(open)} ${thought})? ${end})?`;
  return rules.text(`${front} answer`) + grammar.replace(/^root ::=/, 'answer ::=');
}
