export interface ParsedLabels {
  readonly labels: Readonly<Record<string, string>>;
  /** The first entry that is no label. */
  readonly wrong: string | undefined;
}

/** Reads labels as they are written in WEIR_WORKER_LABELS: `gpu=a100,region=eu`. */
export function parseLabels(text: string): ParsedLabels {
  const entries = text.split(',').flatMap((part) => part.trim() || []);
  const isLabel = (entry: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_./-]{0,127}=.{0,256}$/.test(entry);
  const labels = entries.filter(isLabel).map((entry): [string, string] => {
    const end = entry.indexOf('=');
    return [entry.slice(0, end), entry.slice(end + 1)];
  });
  return { labels: Object.fromEntries(labels), wrong: entries.find((entry) => !isLabel(entry)) };
}
