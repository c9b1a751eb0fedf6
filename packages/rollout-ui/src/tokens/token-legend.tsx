import { TokenSwatch, tokenShades } from '@weir/ui-kit';
import type { ReactElement, ReactNode } from 'react';
import type { TokenPath } from '../api/read-tokens';
import {
  differenceSteps,
  entropySteps,
  probabilitySteps,
  shadeOfIndex,
  splicedShade,
  tokenColours,
  trainedShade,
  versionsOf,
  type TokenColour,
} from './token-shades';
import { useTokensMessages } from './tokens-messages';
import styles from './tokens.module.css';

const maxEntries = 12;

/** What the shades of a strip mean. */
export function TokenLegend({
  path,
  colour,
}: {
  readonly path: TokenPath;
  readonly colour: TokenColour;
}): ReactElement {
  const t = useTokensMessages();
  const amounts = (steps: readonly number[]): readonly ReactNode[] =>
    tokenShades.map((shade) => (
      <TokenSwatch key={shade} shade={shade}>
        {shade === 0 ? t('tokens.below', { p: String(steps[0]) }) : `≥ ${String(steps[shade - 1])}`}
      </TokenSwatch>
    ));
  const entries: Readonly<Record<(typeof tokenColours)[number], () => readonly ReactNode[]>> = {
    logprob: () =>
      tokenShades.map((shade) => (
        <TokenSwatch key={shade} shade={shade}>
          {shade < probabilitySteps.length
            ? `≥ ${String(probabilitySteps[shade])}`
            : t('tokens.below', { p: String(probabilitySteps.at(-1)) })}
        </TokenSwatch>
      )),
    entropy: () => amounts(entropySteps),
    mask: () => [
      <TokenSwatch key="trained" shade={trainedShade}>
        {t('tokens.trained')}
      </TokenSwatch>,
    ],
    version: () =>
      versionsOf(path).map((version, index) => (
        <TokenSwatch key={version} shade={shadeOfIndex(index)}>
          {t('tokens.v', { version })}
        </TokenSwatch>
      )),
    turn: () =>
      [...new Set(path.turns)].map((turn) => (
        <TokenSwatch key={turn} shade={shadeOfIndex(turn)}>
          {t('tokens.turn', { turn: turn + 1 })}
        </TokenSwatch>
      )),
    source: () => [
      <TokenSwatch key="sampled" shade={trainedShade}>
        {t('tokens.sampled')}
      </TokenSwatch>,
      <TokenSwatch key="spliced" shade={splicedShade}>
        {t('tokens.spliced')}
      </TokenSwatch>,
    ],
  };
  const fixed = tokenColours.find((one) => one === colour);
  const shown = fixed === undefined ? amounts(differenceSteps) : entries[fixed]();
  return (
    <div role="group" aria-label={t('tokens.legend')} className={styles.legend}>
      {shown.slice(0, maxEntries)}
      <TokenSwatch isHatched>{t('tokens.untrained')}</TokenSwatch>
    </div>
  );
}
