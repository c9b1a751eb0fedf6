/** One version of a LoRA adapter. */
export interface AdapterVersion {
  readonly name: string;
  readonly version: number;
  /** Where the engine reads it; `undefined` where the engine has it under its name since its start. */
  readonly path?: string | undefined;
  /** Whether SGLang never evicts it from the memory of its GPU. Other engines have nothing like it. */
  readonly isPinned: boolean;
}
