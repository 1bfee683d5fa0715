// Loaded before the program (node --import): writes the longest stall of its event loop, in ms, into METACTL_BENCH_STALL when
// it ends.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('exit', () => {
  const file = process.env.METACTL_BENCH_STALL;
  if (file) writeFileSync(file, String(delays.max / 1e6));
});
