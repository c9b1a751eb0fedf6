import { formatFinding, parseBaseConfig, type BaseConfig } from '@weir/workflow-spec';
import { editorHints, type CustomStepTypeHint } from '@weir/workflow-spec/editor';

/** A base configuration as text, so that it can be sent to a thread and stored with a run. */
export interface BaseText {
  /** The name that findings use, such as its path. */
  readonly label: string;
  readonly text: string;
  /** The reason why it could not be loaded, for people. */
  readonly problem?: string;
}

interface ReadBase {
  readonly base: BaseConfig;
  readonly problem?: string;
}

const maxCached = 8;
const cache = new Map<string, ReturnType<typeof parseBaseConfig>>();

export function readBase({ label, text, problem }: BaseText): ReadBase {
  const { base, findings } = parseCached(text);
  const first = findings.find(({ severity }) => severity === 'error');
  const what = problem ?? (first === undefined ? undefined : formatFinding(first));
  return what === undefined ? { base } : { base, problem: `the base configuration ${label} cannot be used: ${what}` };
}

/** Returns the custom step types of the base configurations; the last of two with the same name counts. */
export function inheritedStepTypes(texts: readonly string[]): readonly CustomStepTypeHint[] {
  const types = texts.flatMap((text) => editorHints(parseCached(text).base).inheritedCustomStepTypes);
  return [...new Map(types.map((type) => [type.name, type])).values()];
}

/** Results are cached, because every DAG is parsed with the same few base configurations. */
function parseCached(text: string): ReturnType<typeof parseBaseConfig> {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const parsed = parseBaseConfig(text);
  const [oldest] = cache.keys();
  if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest);
  cache.set(text, parsed);
  return parsed;
}
