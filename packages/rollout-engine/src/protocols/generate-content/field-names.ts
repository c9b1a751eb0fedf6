/** The objects within an object whose names belong to the protocol; what it does not list stays as it was sent. */
interface Shape {
  readonly [name: string]: Shape;
}

const content: Shape = { parts: { functionCall: {}, functionResponse: {} } };
const call: Shape = {
  contents: content,
  systemInstruction: content,
  tools: { functionDeclarations: {} },
  toolConfig: { functionCallingConfig: {} },
  generationConfig: { thinkingConfig: {} },
};
const body: Shape = { ...call, generateContentRequest: call };

/** Parameters of every protocol, which have one name. */
const shared = new Set(['chat_template_kwargs', 'logit_bias', 'min_p', 'repetition_penalty']);

/** Names of this protocol are also written with underscores: the SDKs mix both within one body. */
export function withCamelCaseNames(value: unknown, shape: Shape = body): unknown {
  if (Array.isArray(value)) return value.map((item) => withCamelCaseNames(item, shape));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([given, inner]) => {
      const name = shared.has(given) ? given : toCamelCase(given);
      return [name, Object.hasOwn(shape, name) ? withCamelCaseNames(inner, shape[name]) : inner];
    }),
  );
}

export const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
