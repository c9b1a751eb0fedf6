/** Not that of node:timers/promises, which few jobs need and every job would load. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
