import { Lexer } from 'yaml';

/** The mark stands before the text of a scalar, which may begin like a comment. */
const scalarMark = '\u001F';

/** Returns the comments of a YAML text in their order. */
export function findComments(text: string): readonly string[] {
  const tokens = [...new Lexer().lex(text)];
  return tokens.filter((token, index) => token.startsWith('#') && tokens[index - 1] !== scalarMark);
}

/** Returns the comments of `before` that `after` lacks. */
export function lostComments(before: string, after: string): readonly string[] {
  const left = [...findComments(after)];
  return findComments(before).filter((comment) => {
    const index = left.indexOf(comment);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}
