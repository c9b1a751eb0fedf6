import { keySpec, objectKind } from '../../shapes/object-kind';
import { objectShape } from '../../shapes/read-object';
import { readNonEmptyText } from '../../shapes/readers';
import { shape } from '../../shapes/shape';
import { either, nonEmptyText, rawShape } from '../../shapes/shapes';
import { getKind, type YamlValue } from '../../source/yaml/yaml-value';

/** The executor of a step as in 1.x, with its settings. */
export interface DeprecatedExecutor {
  readonly type: string;
  /** Location of the type. */
  readonly source: YamlValue;
  readonly config?: YamlValue;
}

const executorKind = objectKind({
  title: 'executor',
  keys: {
    type: keySpec('The kind of step', nonEmptyText, { required: true }),
    config: keySpec('Its settings', rawShape({ type: 'object' })),
  },
});

const named = shape<DeprecatedExecutor>(
  (value) => {
    const type = readNonEmptyText(value)?.trim();
    return type === undefined ? undefined : { type, source: value };
  },
  { type: ['string', 'number', 'boolean'], minLength: 1 },
);

const configured = objectShape(executorKind, ({ type, config }): DeprecatedExecutor | undefined => {
  if (type?.value === undefined) return undefined;
  return { type: type.value.trim(), source: type.source, ...(config?.value && { config: config.value }) };
});

export const executorShape = either((value) => getKind(value) !== 'map', named, configured);
