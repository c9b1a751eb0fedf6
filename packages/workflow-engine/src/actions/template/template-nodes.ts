import type { JsonValue } from '@weir/workflow-spec';

/** An expression that yields one value. */
export type Operand =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  /** `.a.b` of the dot or of a variable. `variable` has no `$` and is empty for the root data. */
  | { readonly kind: 'field'; readonly variable?: string; readonly path: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Operand[] };

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly value: Operand }
  | { readonly kind: 'set'; readonly variable: string; readonly value: Operand }
  | {
      readonly kind: 'if' | 'with' | 'range';
      readonly value: Operand;
      /** Variables of `range`: key and item, or the item alone. */
      readonly variables: readonly string[];
      readonly body: readonly TemplateNode[];
      readonly otherwise: readonly TemplateNode[];
    };
