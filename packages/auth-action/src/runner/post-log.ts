export interface PostLog {
  readonly info: (text: string) => void;
  readonly warning: (text: string) => void;
  readonly debug: (text: string) => void;
}
