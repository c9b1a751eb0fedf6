import { keySpec, objectKind } from '../read/object-kind';
import { objectShape } from '../read/read-object';
import { readFilledText } from '../read/readers';
import { shape } from '../read/shape';
import { either, filledText, unread } from '../read/shapes';
import { kindOf, type YamlValue } from '../yaml/yaml-value';

/** The kind of step of 1.x, with its settings. */
export interface OldExecutor {
  readonly type: string;
  /** The place of the type. */
  readonly source: YamlValue;
  readonly config?: YamlValue;
}

const executorKind = objectKind({
  title: 'executor',
  keys: {
    type: keySpec('The kind of step', filledText, { required: true }),
    config: keySpec('Its settings', unread({ type: 'object' })),
  },
});

const named = shape<OldExecutor>(
  (value) => {
    const type = readFilledText(value)?.trim();
    return type === undefined ? undefined : { type, source: value };
  },
  { type: ['string', 'number', 'boolean'], minLength: 1 },
);

const configured = objectShape(executorKind, ({ type, config }): OldExecutor | undefined => {
  if (type?.value === undefined) return undefined;
  return { type: type.value.trim(), source: type.source, ...(config?.value && { config: config.value }) };
});

export const executorShape = either((value) => kindOf(value) !== 'map', named, configured);
