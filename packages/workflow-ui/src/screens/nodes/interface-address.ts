/** Returns the address of the web interface of a node, which is beside its API. */
export function interfaceAddress({ apiBaseUrl }: { readonly apiBaseUrl: string }): string {
  return `${apiBaseUrl.replace(/\/+$/, '').replace(/\/api\/v\d+$/, '')}/`;
}
