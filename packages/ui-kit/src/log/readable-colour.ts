export type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
const least = 4.5;
const steps = 20;

/** Of WCAG: 1 for equal colours, 21 for black on white. */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((first, second) => first - second);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour, or the nearest one on the way to black or white that can be read on a background. */
export function readableOn(colour: Rgb, background: Rgb): Rgb {
  const end = contrast(white, background) > contrast(black, background) ? white : black;
  for (let step = 0; step <= steps; step++) {
    const mixed = mix(colour, end, step / steps);
    if (contrast(mixed, background) >= least) return mixed;
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
