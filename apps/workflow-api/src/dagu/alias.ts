/** The counterpart of a name of Dagu. */
export type Alias<Target extends string = string> =
  | {
      readonly to: Target;
      /** Returns the value as it is written here; undefined for a value that is passed on unchanged. */
      readonly value?: (text: string) => string;
      readonly note?: string;
    }
  | {
      readonly status: 'different' | 'not yet';
      readonly why: string;
      /** Whether a server without this setting would be less safe than its operator expects; then it does not start. */
      readonly isProtection?: true;
    };

export type Aliases = Readonly<Record<string, Alias>>;
