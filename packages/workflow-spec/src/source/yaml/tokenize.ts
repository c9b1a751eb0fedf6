import { Lexer, Parser, type CST } from 'yaml';
import type { FindingReport } from '../findings/report/finding-report';
import type { SourceLocation } from '../findings/source-location';
import { limits } from '../../model/limits';

/**
 * Returns the concrete syntax of the text, or undefined when it exceeds a limit. `yaml` keeps open lists and maps on
 * an explicit stack here, so excessive depth is refused before any recursive walk.
 */
export function tokenize(text: string, report: FindingReport): readonly CST.Token[] | undefined {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  let documents = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    for (const token of parser.next(lexeme)) {
      if (token.type === 'document') documents += 1;
      tokens.push(token);
    }
    if (parser.stack.length > limits.depth) {
      report.add(
        'nesting_too_deep',
        locationAt(parser.offset),
        `lists and maps may be nested ${limits.depth} deep at most`,
      );
      return undefined;
    }
    if (lexemes > limits.lexemes || documents > limits.documents) {
      report.add('text_too_complex', locationAt(parser.offset), describeExcess(documents));
      return undefined;
    }
  }
  tokens.push(...parser.end());
  return tokens;
}

function locationAt(offset: number): SourceLocation {
  return { range: [offset, offset + 1], path: '' };
}

function describeExcess(documents: number): string {
  if (documents > limits.documents) return `a file may contain ${limits.documents} documents at most`;
  return `a file may contain ${limits.lexemes} YAML tokens at most`;
}
