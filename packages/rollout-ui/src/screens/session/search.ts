import { readChoice, readText } from '@weir/ui-kit/app';
import { discountRules, exportStyles, type RowChoices } from '../../api/reward-choices';
import { readNumber } from '../../parts/read-number';
import { tokenColours, type TokenColour } from '../../tokens/token-shades';

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
  return {
    ...readText('call', search),
    ...readChoice('view', ['rows'] as const, search),
    ...readChoice('pane', interactionPanes, search),
    ...readChoice('colour', tokenColours, search),
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
