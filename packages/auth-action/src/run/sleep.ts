/** The sleep of node:timers/promises is avoided: few jobs need it, and every job would load it. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
