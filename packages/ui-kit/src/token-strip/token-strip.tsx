import {
  memo,
  useEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react';
import { classNames } from '../class-names';
import styles from './token-strip.module.css';

/** The classes of the scale, from the weakest to the strongest. */
export const tokenShades = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const noShade = -1;
const tokensPerBlock = 200;

/** Describes how each token is drawn; all lists have one entry for each token. */
export interface TokenMarks {
  /** A shade from 0 to 7, or -1 for none. */
  readonly shades: Int8Array;
  /** The value 1 means hatching. */
  readonly hatched: Uint8Array;
  /** The value 1 marks control tokens. */
  readonly control: Uint8Array;
  /** The value 1 marks tokens that differ from the others beside them. */
  readonly differs?: Uint8Array | undefined;
}

interface TokenStripProps {
  readonly label: string;
  /** The shown text of each token, with its white space. */
  readonly texts: readonly string[];
  readonly marks: TokenMarks;
  /** The active token; the strip scrolls to it when it changes. */
  readonly active?: number | undefined;
  readonly onActivate: (index: number) => void;
  readonly onHover?: (index: number | undefined) => void;
}

/**
 * Tokens as text, each a span, so that selecting, copying and the search of the browser work. Blocks far from the window
 * are plain text until they come near: a hundred thousand tokens are shown at once.
 */
export function TokenStrip({ label, texts, marks, active, onActivate, onHover }: TokenStripProps): ReactElement {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active === undefined) return;
    strip.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'center' });
  }, [active]);
  const move = (event: KeyboardEvent): void => {
    const next = nextIndex(event.key, active ?? -1, texts.length);
    if (next === undefined) return;
    event.preventDefault();
    onActivate(next);
  };
  const blocks = useMemo(() => splitBlocks(texts), [texts]);
  return (
    <div
      ref={strip}
      role="group"
      aria-label={label}
      tabIndex={0}
      className={styles.strip}
      onKeyDown={move}
      onClick={({ target }) => {
        const at = indexOf(target);
        if (at !== undefined) onActivate(at);
      }}
      // Scrolling to the active token moves others below a pointer that rests, at which nobody points.
      onPointerMove={({ target }) => onHover?.(indexOf(target))}
      onPointerLeave={() => onHover?.(undefined)}
    >
      {blocks.map(({ start, end }) => {
        const isIn = active !== undefined && active >= start && active < end;
        return <TokenBlock key={start} {...{ start, end, texts, marks, active: isIn ? active : undefined }} />;
      })}
    </div>
  );
}

interface TokenBlockProps {
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
  readonly marks: TokenMarks;
  readonly active: number | undefined;
}

const TokenBlock = memo(function TokenBlock({ start, end, texts, marks, active }: TokenBlockProps): ReactElement {
  const block = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(start === 0);
  useEffect(() => {
    if (block.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '400px' },
    );
    observer.observe(block.current);
    return () => observer.disconnect();
  }, []);
  const shown = texts.slice(start, end);
  return (
    <div ref={block} className={styles.block}>
      {isNear || active !== undefined
        ? shown.map((text, offset) => (
            <span
              key={offset}
              data-at={start + offset}
              {...shadedMark(start + offset, marks)}
              className={classOf(start + offset, marks, active)}
            >
              {text}
            </span>
          ))
        : shown.join('')}
    </div>
  );
});

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Blocks are separate lines, so they end with a line of the text where one ends soon enough. */
function splitBlocks(texts: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < texts.length;) {
    let end = Math.min(texts.length, start + tokensPerBlock);
    const lineEnd = texts.slice(end - 1, end + tokensPerBlock).findIndex((text) => text.endsWith('\n'));
    if (end < texts.length && lineEnd >= 0) end += lineEnd;
    blocks.push({ start, end });
    start = end;
  }
  return blocks;
}

function classOf(at: number, { shades, hatched, control, differs }: TokenMarks, active: number | undefined): string {
  return classNames(
    styles.token,
    shadeClass(shades[at] ?? noShade),
    hatched[at] === 1 && styles.hatched,
    control[at] === 1 && styles.control,
    differs?.[at] === 1 && styles.differs,
    at === active && styles.active,
  );
}

/** Hatching over a shade is drawn in another way. */
const shadedMark = (at: number, { shades }: TokenMarks) =>
  (shades[at] ?? noShade) === noShade ? {} : { 'data-shaded': true };

const shadeClass = (shade: number): string | undefined => (shade === noShade ? undefined : styles[`s${shade}`]);

function indexOf(target: EventTarget): number | undefined {
  const at = target instanceof HTMLElement ? target.dataset.at : undefined;
  return at === undefined ? undefined : Number(at);
}

function nextIndex(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight') return Math.min(count - 1, active + 1);
  if (key === 'ArrowLeft') return Math.max(0, active - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface TokenSwatchProps {
  /** Default: none. */
  readonly shade?: number;
  readonly isHatched?: boolean;
  readonly children: ReactNode;
}

/** One entry of the legend of a strip, or a value that is shaded like its tokens. */
export function TokenSwatch({ shade = noShade, isHatched = false, children }: TokenSwatchProps): ReactElement {
  return <span className={classNames(styles.swatch, shadeClass(shade), isHatched && styles.hatched)}>{children}</span>;
}
