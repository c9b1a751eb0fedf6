import { toPositional } from './named-placeholders';

describe('toPositional', () => {
  it('gives each name one position', () => {
    expect(toPositional('select :a, :b, :a', { a: 1, b: 2 })).toEqual({ text: 'select $1, $2, $1', values: [1, 2] });
  });

  it.each([
    `select ':a'`,
    `select ':a'':a'`,
    'select 1 as ":a"',
    'select 1 -- :a',
    'select 1 /* :a */',
    'select $$ :a $$, $x$ :a $x$',
    'select now()::date',
  ])('leaves %s unchanged', (text) => {
    expect(toPositional(text, {})).toEqual({ text, values: [] });
  });

  it('fails for a name without a value', () => {
    expect(() => toPositional('select :a', {})).toThrow('params has no value for :a.');
  });
});
