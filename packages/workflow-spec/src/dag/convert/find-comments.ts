import { Lexer } from 'yaml';

/** Comes before the text of a scalar, which may begin as a comment does. */
const scalarMark = '\u001F';

/** The comments of a text in YAML, in its order. */
export function findComments(text: string): readonly string[] {
  const tokens = [...new Lexer().lex(text)];
  return tokens.filter((token, index) => token.startsWith('#') && tokens[index - 1] !== scalarMark);
}

/** The comments of `before` that `after` does not have. */
export function lostComments(before: string, after: string): readonly string[] {
  const left = [...findComments(after)];
  return findComments(before).filter((comment) => {
    const index = left.indexOf(comment);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
