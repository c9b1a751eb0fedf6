import { useState, type CSSProperties, type ReactElement } from 'react';
import { classNames } from '../class-names';
import { readJsonLine, type JsonLine } from './json-line';
import { readPieces, shownLengthOf, type Piece } from './line-text';
import type { LogLine, Span } from './log-source';
import type { LogTexts } from './log-texts';
import { toVisible } from './visible-text';
import styles from './log-text.module.css';

/** Limits the shown characters of a line; more of it is shown on demand, so that no line makes the page slow. */
const shownCharacters = 2000;
const noSpans: readonly Span[] = [];

export interface LogTextProps {
  readonly line: LogLine;
  readonly spans?: readonly Span[] | undefined;
  readonly readsJson: boolean;
  readonly texts: LogTexts;
}

/** The text of a line. Its content cannot change the page: it consists of text and colours. */
export function LogText({ line, spans, readsJson, texts }: LogTextProps): ReactElement {
  const [isWhole, setWhole] = useState(false);
  // Matches are shown at their place in the raw text.
  const json = readsJson && spans === undefined ? readJsonLine(line.text) : undefined;
  if (json !== undefined) return <JsonText line={json} />;
  const length = line.text.length > shownCharacters ? shownLengthOf(line.text) : 0;
  const rest = length - shownCharacters;
  return (
    <span className={styles.text} dir="ltr">
      <Pieces pieces={readPieces(line.text, spans ?? noSpans, isWhole ? Infinity : shownCharacters)} />
      {rest > 0 && !isWhole ? (
        <button type="button" className={styles.rest} onClick={() => setWhole(true)}>
          {texts.showRest(rest)}
        </button>
      ) : null}
      {line.isCut && (rest <= 0 || isWhole) ? <span className={styles.note}>{texts.lineCut}</span> : null}
    </span>
  );
}

function JsonText({ line: { level, message, fields } }: { readonly line: JsonLine }): ReactElement {
  return (
    <span className={styles.text} dir="ltr">
      {level === undefined ? null : <span className={classNames(styles.level, styles[level])}>{level}</span>}{' '}
      <Pieces pieces={readPieces(message, noSpans, shownCharacters)} />
      {fields.map(([name, value]) => (
        <span key={name} className={styles.field}>
          {' '}
          {toVisible(name)}={toVisible(value).replaceAll('\x1b', '^[')}
        </span>
      ))}
    </span>
  );
}

function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): ReactElement {
  return (
    <>
      {pieces.map((piece, index) => (
        // Pieces have no identity except their position.
        <PieceText key={index} piece={piece} />
      ))}
    </>
  );
}

function PieceText({ piece }: { readonly piece: Piece }): ReactElement | string {
  const { text, colour, background, exact, exactBackground, decorations, isFound, address } = piece;
  const names = classNames(
    colour !== undefined && styles[`colour${colour}`],
    background !== undefined && styles[`background${background}`],
    exact !== undefined && styles.exact,
    exactBackground !== undefined && styles.exactBackground,
    ...decorations.map((decoration) => styles[decoration]),
  );
  const inner = isFound ? <mark className={styles.found}>{text}</mark> : text;
  const content =
    address === undefined ? (
      inner
    ) : (
      <a href={address} target="_blank" rel="noopener noreferrer nofollow" className={styles.link}>
        {inner}
      </a>
    );
  if (names === '') return <>{content}</>;
  return (
    <span className={names} style={exactColours(piece)}>
      {content}
    </span>
  );
}

/** The page itself sets the custom properties; the text of a log is never part of a style. */
function exactColours({ exact, exactBackground }: Piece): CSSProperties | undefined {
  if (exact === undefined && exactBackground === undefined) return undefined;
  const properties: Record<string, string> = {};
  if (exact !== undefined) Object.assign(properties, { '--exact-light': exact.light, '--exact-dark': exact.dark });
  if (exactBackground !== undefined) properties['--exact-background'] = exactBackground;
  return properties;
}
