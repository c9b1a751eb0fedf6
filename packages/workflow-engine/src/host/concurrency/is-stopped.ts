/** A function, because the compiler narrows the property, whose value changes while something else is awaited. */
export function isStopped({ aborted }: AbortSignal): boolean {
  return aborted;
}
