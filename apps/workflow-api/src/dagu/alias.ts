/** What becomes of a name of Dagu. */
export type Alias<Target extends string = string> =
  | {
      readonly to: Target;
      /** How a value is written here; undefined for one that is passed on unchanged. */
      readonly value?: (text: string) => string;
      readonly note?: string;
    }
  | {
      readonly status: 'different' | 'not yet';
      readonly why: string;
      /** Whether a server would be less safe without it than its operator expects: then it does not start. */
      readonly isProtection?: true;
    };

export type Aliases = Readonly<Record<string, Alias>>;
