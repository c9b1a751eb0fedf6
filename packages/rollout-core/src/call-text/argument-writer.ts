import type { ToolDefinition } from '../conversation/message';
import type { CallSink } from './call-sink';
import { coerceValue } from './coerce-value';

/** The schemas of a tool's parameters by name. */
export type ParameterSchemas = Readonly<Record<string, unknown>>;

export function parameterSchemas(tools: readonly ToolDefinition[]): ReadonlyMap<string, ParameterSchemas> {
  return new Map(tools.map((tool) => [tool.name, readProperties(tool)]));
}

function readProperties({ parameters }: ToolDefinition): ParameterSchemas {
  const properties = parameters?.properties;
  return typeof properties === 'object' && properties !== null ? (properties as ParameterSchemas) : {};
}

/** Writes arguments that the model wrote one by one as one object. */
export interface ArgumentWriter {
  /** False where the key is repeated or the arguments become too long. */
  write(key: string, json: string): boolean;
  /** The same for a value without quotes, whose type is in the tool's schema. */
  writePlain(key: string, value: string): boolean;
  end(): boolean;
}

export function createArgumentWriter(sink: CallSink, schemas: ParameterSchemas = {}): ArgumentWriter {
  const seen = new Set<string>();
  const write = (key: string, json: string): boolean => {
    if (seen.has(key)) return false;
    const before = seen.size === 0 ? '{' : ', ';
    seen.add(key);
    return sink.write(`${before}${JSON.stringify(key)}: ${json}`);
  };
  return {
    write,
    writePlain: (key, value) => write(key, coerceValue(value, Object.hasOwn(schemas, key) ? schemas[key] : undefined)),
    end: () => sink.write(seen.size === 0 ? '{}' : '}'),
  };
}
