import { readChoice, readText } from '@weir/ui-kit/app';
import { discountRules, exportStyles, type RowChoices } from '../../api/reward-choices';
import { readColour, type TokenColour } from '../../tokens/token-shades';

export const interactionPanes = ['messages', 'tokens', 'raw'] as const;

export interface SessionSearch {
  /** The interaction that is looked at. */
  readonly call?: string;
  readonly view?: 'rows';
  readonly pane?: (typeof interactionPanes)[number];
  readonly colour?: TokenColour;
  /** The token that is looked at. */
  readonly at?: number;
  readonly discount?: number;
  readonly rule?: RowChoices['rule'];
  readonly style?: RowChoices['style'];
  readonly drop?: 'yes';
}

/** What the views of a session get. */
export interface SessionViewProps {
  readonly sessionId: string;
  readonly search: SessionSearch;
  /** Changes these values of the address. */
  readonly onChange: (changes: SessionSearch) => void;
}

export function readSessionSearch(search: Readonly<Record<string, unknown>>): SessionSearch {
  const colour = readColour(search.colour);
  return {
    ...readText('call', search),
    ...readChoice('view', ['rows'] as const, search),
    ...readChoice('pane', interactionPanes, search),
    ...(colour === undefined ? {} : { colour }),
    ...readNumber('at', search, { min: 0, max: 100_000_000 }),
    ...readNumber('discount', search, { min: 0, max: 1 }),
    ...readChoice('rule', discountRules, search),
    ...readChoice('style', exportStyles, search),
    ...readChoice('drop', ['yes'] as const, search),
  };
}

/** The choices that an address holds, with the defaults of an export. */
export function toChoices({ discount = 1, rule = 'sum', style = 'individual', drop }: SessionSearch): RowChoices {
  return { discount, rule, style, drop: drop === 'yes' };
}

/** A number of the query of an address within bounds; anything else is left out. */
function readNumber<Name extends string>(
  name: Name,
  search: Readonly<Record<string, unknown>>,
  { min, max }: { readonly min: number; readonly max: number },
): Readonly<Partial<Record<Name, number>>> {
  const value = search[name];
  const isUsable = typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
  // The type of a computed name is wider than it.
  return (isUsable ? { [name]: value } : {}) as Partial<Record<Name, number>>;
}
