import type { JsonObject } from './json';

/** An environment variable whose value is fetched when the run starts and masked in all output. */
export type Secret =
  /** The value comes from the server's own secret store. */
  | { readonly name: string; readonly kind: 'ref'; readonly ref: string }
  | {
      readonly name: string;
      readonly kind: 'provider';
      readonly provider: string;
      readonly key: string;
      readonly options?: JsonObject;
    };
