import Anser from 'anser';

/** A text with one style. */
export interface Segment {
  readonly text: string;
  /** A colour from 0 to 15, which the theme defines. */
  readonly colour?: number;
  readonly background?: number;
  /** Any other colour, in a form that is readable in each theme. */
  readonly exact?: { readonly light: string; readonly dark: string };
  readonly exactBackground?: string;
  readonly decorations: readonly ('bold' | 'dim' | 'italic' | 'underline' | 'strikethrough')[];
}

/** Limits the colour changes of one line; the rest is plain. */
const maxChanges = 500;
// oxlint-disable-next-line no-control-regex -- It is what is looked for.
const change = /\x1b\[[<-?]*[\d;]*m/g;
const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const shown = ['bold', 'dim', 'italic', 'underline', 'strikethrough'] as const;
const levels = [0, 95, 135, 175, 215, 255];
const lightPage: Rgb = [255, 255, 255];
const darkPage: Rgb = [15, 18, 22];

/** Splits a line at its changes of colour. */
export function readSegments(text: string): readonly Segment[] {
  if (!text.includes('\x1b')) return text === '' ? [] : [{ text, decorations: [] }];
  let changes = 0;
  const bounded = text.replace(change, (sequence) => (++changes > maxChanges ? '' : sequence));
  return new Anser()
    .ansiToJson(bounded, { json: true, use_classes: true, remove_empty: true })
    .map((entry) => toSegment(entry));
}

function toSegment(entry: Anser.AnserJsonEntry): Segment {
  const isReversed = entry.decorations.includes('reverse');
  const [front, back] = [readColour(entry.fg, entry.fg_truecolor), readColour(entry.bg, entry.bg_truecolor)];
  // Without colours of its own, reversed text inverts the colours of the page: black on white.
  const [colour, background] = isReversed ? [back ?? { index: 0 }, front ?? { index: 7 }] : [front, back];
  return {
    text: entry.content,
    ...colourOf(colour, background),
    ...backgroundOf(background),
    decorations: shown.filter((decoration) => entry.decorations.includes(decoration)),
  };
}

type Colour = { readonly index: number } | { readonly rgb: Rgb };

function colourOf(colour: Colour | undefined, background: Colour | undefined): Partial<Segment> {
  if (background !== undefined) {
    // A theme has one readable colour of text for each of its backgrounds.
    if ('index' in background) return {};
    const css = toCss(
      readableOn(colour !== undefined && 'rgb' in colour ? colour.rgb : background.rgb, background.rgb),
    );
    return { exact: { light: css, dark: css } };
  }
  if (colour === undefined) return {};
  if ('index' in colour) return { colour: colour.index };
  const { rgb } = colour;
  return { exact: { light: toCss(readableOn(rgb, lightPage)), dark: toCss(readableOn(rgb, darkPage)) } };
}

function backgroundOf(background: Colour | undefined): Partial<Segment> {
  if (background === undefined) return {};
  return 'index' in background ? { background: background.index } : { exactBackground: toCss(background.rgb) };
}

/** Reads the classes of the library: `ansi-red`, `ansi-bright-red`, `ansi-palette-20`, `ansi-truecolor`. */
function readColour(name: string | null, exact: string | null): Colour | undefined {
  if (name === null) return undefined;
  if (name === 'ansi-truecolor') return exact === null ? undefined : { rgb: toRgb(exact.split(',').map(Number)) };
  const palette = /^ansi-palette-(\d+)$/.exec(name);
  if (palette !== null) return paletteColour(Number(palette[1]));
  const index = names.indexOf(name.replace(/^ansi-(bright-)?/, ''));
  return index < 0 ? undefined : { index: name.startsWith('ansi-bright-') ? index + 8 : index };
}

function paletteColour(index: number): Colour {
  if (index < 16) return { index };
  if (index >= 232) return { rgb: toRgb(Array.from({ length: 3 }, () => 8 + (index - 232) * 10)) };
  const place = index - 16;
  return {
    rgb: toRgb([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((step) => levels[step] ?? 0)),
  };
}

function toRgb(values: readonly number[]): Rgb {
  const [red, green, blue] = values.map((value) => (Number.isFinite(value) ? Math.min(255, Math.max(0, value)) : 0));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function toCss(rgb: Rgb): string {
  return `rgb(${rgb.join(' ')})`;
}

type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];

const black: Rgb = [0, 0, 0];

const leastContrast = 4.5;

const mixingSteps = 20;

/** The contrast of WCAG: 1 for equal colours, 21 for black on white. */
function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the colour, or the nearest one on the way to black or white that is readable on a background. */
function readableOn(colour: Rgb, background: Rgb): Rgb {
  const end = contrast(white, background) > contrast(black, background) ? white : black;
  for (let step = 0; step <= mixingSteps; step++) {
    const mixed = mix(colour, end, step / mixingSteps);
    if (contrast(mixed, background) >= leastContrast) return mixed;
  }
  return end;
}

function mix(from: Rgb, to: Rgb, part: number): Rgb {
  const [red, green, blue] = from.map((value, index) => Math.round(value + ((to[index] ?? 0) - value) * part));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
