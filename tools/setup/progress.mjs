// One line per phase. A terminal shows the seconds while they pass; a log gets a line at the start and one at the end.

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** Runs one phase and reports on standard error how long it took. */
export async function phase(label, work) {
  const start = Date.now();
  const isTerminal = process.stderr.isTTY === true && process.env.CI === undefined;
  const write = (text) => process.stderr.write(text);
  write(isTerminal ? `weir: ${label} …` : `weir: ${label} …\n`);
  const timer = isTerminal && setInterval(() => write(`\r\x1b[Kweir: ${label} … ${seconds(start)}`), 1000);
  const close = (result) => write(`${isTerminal ? '\r\x1b[K' : ''}weir: ${label}: ${result} (${seconds(start)})\n`);
  try {
    const value = await work();
    close('done');
    return value;
  } catch (error) {
    close('failed');
    throw error;
  } finally {
    clearInterval(timer);
  }
}
