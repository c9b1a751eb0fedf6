// Preloaded into the server under test: appends the milliseconds on the processor of each longer turn of its event loop
// to the file in WEIR_BENCH_PARTS. Only processor time counts, so that a busy machine measures the same.
const { appendFileSync } = require('node:fs');

const leastMs = 3;
const file = process.env.WEIR_BENCH_PARTS;
const processorMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let last = processorMs();

function look() {
  const now = processorMs();
  if (now - last > leastMs) appendFileSync(file, `${(now - last).toFixed(1)}\n`);
  last = processorMs();
  setTimeout(look, 1).unref();
}

look();
