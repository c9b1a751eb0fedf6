import { createGrammarRules, terminal } from './grammar-rules';
import { textWithout } from './text-without';

/**
 * The grammar of an answer that begins inside a thought: any text, the mark that closes it, at most two line breaks, and
 * what the given grammar allows.
 */
export function grammarAfterThought(grammar: string, close: string): string {
  const rules = createGrammarRules({ namePrefix: 't' });
  const thought = textWithout([close], rules);
  return (
    rules.text(String.raw`${thought} ${terminal(close)} [\n]{0,2} answer`) + grammar.replace(/^root ::=/, 'answer ::=')
  );
}
