import { Button, classNames, SelectField, TokenStrip } from '@weir/ui-kit';
import { useMemo, useState, type ReactElement } from 'react';
import type { InteractionAddress, TokenPath } from '../api/read-tokens';
import { formatCount } from '../parts/format-number';
import { PositionChart } from './position-chart';
import { Alternatives } from './alternatives';
import { TokenInspector } from './token-inspector';
import { createJumps } from './token-jumps';
import { TokenLegend } from './token-legend';
import { coloursOf, markTokens, scorerOf, type tokenColours, type TokenColour } from './token-shades';
import { tokenTexts } from './token-text';
import { useTokensMessages } from './tokens-messages';
import styles from './tokens.module.css';

export interface TokenViewProps {
  readonly path: TokenPath;
  /** Whose path it is. */
  readonly address: InteractionAddress;
  /** 1 for what is trained. Default: by the row of the interaction. */
  readonly mask?: Uint8Array | undefined;
  /** Why the interaction is not trained at all. */
  readonly quarantine: string | null;
  readonly colour: TokenColour;
  readonly onColour: (colour: TokenColour) => void;
  /** The token that is looked at. */
  readonly active: number | undefined;
  readonly onActivate: (index: number) => void;
}

/** The exact tokens of a path, and what is known of each. */
export function TokenView(props: TokenViewProps): ReactElement {
  const { path, address, mask = path.lossMask, quarantine, onColour, active, onActivate } = props;
  const t = useTokensMessages();
  const [hovered, setHovered] = useState<number | undefined>();
  const colours = useMemo(() => coloursOf(path), [path]);
  const colour = colours.includes(props.colour) ? props.colour : 'logprob';
  const texts = useMemo(() => tokenTexts(path), [path]);
  const marks = useMemo(() => markTokens(path, colour, mask), [path, colour, mask]);
  const jumps = useMemo(() => createJumps(path), [path]);
  const jump = (to: number | undefined): void => {
    if (to !== undefined) onActivate(to);
  };
  const looked = hovered ?? active;
  const trained = mask.reduce((sum, one) => sum + one, 0);
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <SelectField
          label={t('tokens.colour')}
          isLabelHidden
          value={colour}
          options={colours.map((value) => ({ value, label: nameColour(t, value) }))}
          onChange={onColour}
        />
        <Button onPress={() => jump(jumps.nextLowest(active))}>{t('tokens.lowest')}</Button>
        <Button onPress={() => jump(jumps.nextBoundary(active))}>{t('tokens.boundary')}</Button>
        <Button onPress={() => jump(jumps.nextVersion(active))} isDisabled={jumps.nextVersion(undefined) === undefined}>
          {t('tokens.version')}
        </Button>
      </div>
      <p className={styles.count}>
        {t('tokens.count', {
          count: formatCount(path.count),
          sampled: formatCount(jumps.sampledCount),
          trained: formatCount(trained),
        })}
      </p>
      <TokenLegend path={path} colour={colour} />
      <PositionChart path={path} active={active} onJump={onActivate} label={t('tokens.chart')} />
      {/* What sticks to the end covers the strip, never what is above it. */}
      <div>
        <TokenStrip
          label={t('tokens.label')}
          texts={texts}
          marks={marks}
          active={active}
          onActivate={(at) => {
            // Somebody who walks with the keys looks there, wherever the pointer rests.
            setHovered(undefined);
            onActivate(at);
          }}
          onHover={setHovered}
        />
        <div className={classNames(styles.below, path.alternatives > 0 && styles.tall)}>
          <TokenInspector path={path} mask={mask} quarantine={quarantine} jumps={jumps} at={looked} />
          {path.alternatives === 0 ? null : <Alternatives path={path} address={address} at={looked} />}
        </div>
      </div>
    </div>
  );
}

function nameColour(t: ReturnType<typeof useTokensMessages>, colour: TokenColour): string {
  const scorer = scorerOf(colour);
  if (scorer !== undefined) return t('tokens.colour.score', { scorer });
  // All colours but the differences have a name of their own.
  return t(`tokens.colour.${colour as (typeof tokenColours)[number]}`);
}
