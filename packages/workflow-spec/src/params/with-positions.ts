import type { ParamDef } from '../canonical/param';

/** A declared parameter with its name, which is its position when it has none. */
export interface LabelledParam {
  readonly definition: ParamDef;
  readonly name: string;
}

export function withPositions(definitions: readonly ParamDef[]): readonly LabelledParam[] {
  let position = 0;
  return definitions.map((definition) => {
    if (definition.name === undefined) position += 1;
    return { definition, name: definition.name ?? String(position) };
  });
}
