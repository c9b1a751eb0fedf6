/** A measured value with its goal, if any. */
export interface Reading {
  readonly what: string;
  readonly value: number;
  readonly unit: 'MB' | 's';
  /** The upper limit. */
  readonly goal?: number;
}

const write = (value: number, unit: string): string => `${unit === 'MB' ? value.toFixed(0) : value.toFixed(2)} ${unit}`;

/** As Markdown, with a column for each Node. */
export function formatReadings(byNode: Readonly<Record<string, readonly Reading[]>>): string {
  const [first = []] = Object.values(byNode);
  const rows = first.map(({ what, goal, unit }) => {
    const values = Object.values(byNode).map((readings) => readings.find((each) => each.what === what));
    return [
      what,
      goal === undefined ? '' : `${goal} ${unit}`,
      ...values.map((each) => each && write(each.value, unit)),
    ];
  });
  const header = ['', 'Goal', ...Object.keys(byNode)];
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
