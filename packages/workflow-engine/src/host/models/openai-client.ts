export interface ClientOptions {
  readonly baseUrl: string;
  /** Empty where none is needed. */
  readonly apiKey: string;
  readonly retries: number;
  readonly timeoutMs: number;
}

/** A client that takes nothing from the environment of the server. Loaded on first use: most servers never ask a model. */
export async function createOpenAiClient({ baseUrl, apiKey, retries, timeoutMs }: ClientOptions) {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: retries,
    timeout: timeoutMs,
    logLevel: 'off',
  });
}
