/** Whether two addresses name the same issuer: providers write theirs with or without a slash at the end. */
export function isSameIssuer(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
