declare module 'jq-web' {
  const jq: Promise<{ raw(json: string, filter: string, flags: readonly string[]): string | undefined }>;
  // The package exports only this promise.
  export = jq;
}
